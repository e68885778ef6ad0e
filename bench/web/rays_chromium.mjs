// `node rays_chromium.mjs MODEL.glb ROUNDS`: rays.mjs in a page of Chromium.
import { basename, dirname } from "node:path";

import { startChromium } from "./chromium.mjs";

const [path, rounds] = process.argv.slice(2);
const imports = { graze: "/graze/index.js", "graze/three": "/graze/three.js", three: "/three/build/three.module.js",
  "three/addons/": "/three/examples/jsm/", "three-mesh-bvh": "/bvh/build/index.module.js" };
const page = `<!doctype html><title>rays</title><script type="importmap">${JSON.stringify({ imports })}</script>
  <script type="module">
    import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
    import { measureRays } from "/here/rays.mjs";
    const bytes = await (await fetch("/model/${basename(path)}")).arrayBuffer();
    const loadScene = () => new GLTFLoader().parseAsync(bytes.slice(0), "");
    window.lines = await measureRays(loadScene, ${Number(rounds)});
  </script>`;
const browser = await startChromium({ "/graze/": "node_modules/graze", "/three/": "node_modules/three",
  "/bvh/": "node_modules/three-mesh-bvh", "/here/": ".", "/model/": dirname(path) }, { "/rays.html": page });
try {
  const tab = await browser.open("/rays.html");
  await tab.waitForFunction(() => window.lines, null, { timeout: 600_000 });
  const lines = await tab.evaluate(() => [navigator.userAgent.match(/Chrome.[0-9.]+/)[0], ...window.lines]);
  for (const line of [...lines, ...tab.complaints]) console.log(line);
} finally {
  await browser.close();
}
