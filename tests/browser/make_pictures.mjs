/* The pictures of the README and docs, from the real pages:
 *
 *   node make_pictures.mjs GRAZE VIEWER OUT
 */
import {mkdirSync, rmSync} from "node:fs";
import {join} from "node:path";

import {graze, openBrowser} from "./support.mjs";

const [command, viewer, out] = process.argv.slice(2), browser = await openBrowser(true);
mkdirSync(out, {recursive: true});

/* All of the page, or one part of it. */
async function take(name, address, scheme, prepare, part = "body", height = 620) {
  const context = await browser.newContext({viewport: {width: 1100, height}, colorScheme: scheme});
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  await prepare(page);
  await page.waitForTimeout(2500); /* until costs were measured, and the last frame is drawn */
  await page.locator(part).screenshot({path: join(out, `${name}.png`)});
  await context.close();
}

/* Opens a built-in model and changes what is asked and shown. */
async function show(page, model, settings, shown, frame) {
  await page.selectOption("#builtin", model);
  await page.waitForFunction((name) => document.getElementById("title").textContent === `${name}.glb`, model);
  await page.evaluate(([asked, options, place]) => {
    const {app, stage} = grazeViewer;
    app.change(asked);
    app.setShow(options);
    app.lookAtAll();
    stage.camera.position.lerp(stage.controls.target, 0.14);
    stage.controls.update();
    app.go(place);
  }, [settings, shown, frame]);
  await page.waitForFunction(() => grazeViewer.app.survey.finished);
}

const page = `file://${viewer}/index.html`, report = join(out, "report.html");
graze(command, "collide", "builtin:creature", "--at", "0.6,0,0.35", "--turn=-35", "--times", "all", "--report", report);
await take("report", `file://${report}`, "dark", () => {});
graze(command, "self", "builtin:man", "--times", "all", "--count", "--report", report);
await take("self", `file://${report}`, "light", () => {});
graze(command, "audit", "builtin:player", "--clip", "fall", "--report", report);
await take("audit", `file://${report}`, "light", () => {}, "body", 420);
rmSync(report);
await take("viewer", page, "dark", async (one) => {
  await show(one, "man", {placing: {at: [0.56, 0, 0.08], turn: 24, phase: 0.3}}, {}, 12);
  await one.mouse.click(366, 190);
});
await take("viewer-tree", page, "light", (one) =>
  show(one, "man", {placing: {at: [0.56, 0, 0.08], turn: 24, phase: 0.3}}, {tree: true, contacts: false}, 12), "#stage");
await take("viewer-skinning", page, "light", (one) =>
  show(one, "creature", {alone: true, compare: true, clips: [2, 2]}, {}, 30));
await browser.close();
