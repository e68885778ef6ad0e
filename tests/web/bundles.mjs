// What builds a page from an npm package: each makes `out` a page, index.html, of a fresh project in
// `project` whose script is main.js. They are those of this folder's package.json.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The page's script by the package's names, and what it leaves in `window.answer`. */
const script = ({ head = "", entry = "graze", rig = "graze/rig", graze = "", rigOptions = "" } = {}) => `${head}
import { createGraze } from "${entry}";
import { createRig } from "${rig}";
import { accelerate } from "graze/three";
import { BoxGeometry, DoubleSide, Mesh, MeshBasicMaterial, Raycaster, Vector3 } from "three";

const graze = await createGraze(${graze});
const rig = await createRig({ nodes: [{ translation: [0, 0, 3] }], joints: [{ node: 0 }] }${rigOptions});
const body = graze.model({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] }).body();
body.setPose(rig.sample(null, 0).matrices);
const mesh = new Mesh(new BoxGeometry(2, 2, 2), new MeshBasicMaterial({ side: DoubleSide }));
accelerate(graze, mesh);
const hits = new Raycaster(new Vector3(0.1, 0.2, 5), new Vector3(0, 0, -1)).intersectObject(mesh);
globalThis.answer = [body.raycast([0.25, 0.25, 5], [0, 0, -1]).t, ...hits.map((hit) => hit.distance)];
`;
export const ANSWER = [2, 4, 6];

const page = (source) => `<!doctype html><title>graze</title><link rel="icon" href="data:,">\n${source}\n`;
const inline = { entry: "graze/inline", rig: "graze/rig/inline" };
const addresses = { head: 'import wasm from "graze/graze.wasm"; import rigWasm from "graze/rig.wasm";', graze: "{ wasm }",
  rigOptions: ", { wasm: rigWasm }" };

async function esbuild(project, out, options) {
  const { build } = await import("esbuild");
  await build({ absWorkingDir: project, entryPoints: ["main.js"], bundle: true, minify: true, format: "esm", logLevel: "error",
    outfile: join(out, "app.js"), ...options });
}

async function rollup(project, out) {
  const [{ rollup: start }, { default: resolve }] = await Promise.all([import("rollup"), import("@rollup/plugin-node-resolve")]);
  const bundle = await start({ input: join(project, "main.js"), plugins: [resolve({ browser: true })],
    onwarn: (warning) => { throw new Error(warning.message); } });
  await bundle.write({ file: join(out, "app.js"), format: "es" });
  await bundle.close();
}

const moduleScript = page('<script type="module" src="app.js"></script>');

/** A script without await outside of functions, which only modules have. */
const classic = (source) => source.replace(/^((?:.*import .*\n|\n)*)([^]*)$/, "$1(async () => {\n$2})();\n");

/** `source` is main.js; `page` is the page, `before` one that the bundler starts from. `inNode`: the
 * bundle is run by Node. */
export const BUNDLERS = {
  "esbuild, with the modules as files": { source: script(addresses), page: moduleScript,
    build: (project, out) => esbuild(project, out, { loader: { ".wasm": "file" } }) },
  "esbuild, inline": { source: script(inline), page: moduleScript, build: (project, out) => esbuild(project, out) },
  "esbuild, a classic script": { source: classic(script(inline)), page: page('<script src="app.js"></script>'),
    build: (project, out) => esbuild(project, out, { format: "iife" }) },
  "esbuild, for Node": { source: script(inline), inNode: true,
    build: (project, out) => esbuild(project, out, { platform: "node", outfile: join(out, "app.mjs") }) },
  "Vite": { source: script(), before: page('<script type="module" src="/main.js"></script>'),
    async build(project, out) {
      const { build } = await import("vite");
      await build({ root: project, base: "./", logLevel: "error", configFile: false, build: { outDir: out, target: "es2022" } });
    } },
  "webpack": { source: script(), page: moduleScript,
    async build(project, out) {
      const { default: webpack } = await import("webpack");
      const stats = await new Promise((done, fail) => webpack({ mode: "production", context: project, entry: "./main.js",
        performance: { hints: false }, output: { path: out, filename: "app.js" },
      }, (error, made) => (error ? fail(error) : done(made))));
      if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString({ all: false, errors: true, warnings: true }));
    } },
  "Rollup, with the modules copied": { source: script(), page: moduleScript,
    async build(project, out) {
      await rollup(project, out);
      for (const name of ["graze", "rig"]) copyFileSync(join(project, `node_modules/graze/${name}.wasm`), join(out, `${name}.wasm`));
    } },
  "Rollup, inline": { source: script(inline), page: moduleScript, build: rollup },
  "no bundler": { source: script(),
    page: page(`<script type="importmap">{ "imports": { "graze": "./graze/index.js", "graze/rig": "./graze/rig.js",
      "graze/three": "./graze/three.js", "three": "./three/three.module.js" } }</script>
      <script type="module" src="app.js"></script>`),
    async build(project, out, three) {
      copyFileSync(join(project, "main.js"), join(out, "app.js"));
      for (const [name, folder] of [["graze", join(project, "node_modules/graze")], ["three", three]]) {
        mkdirSync(join(out, name));
        for (const file of readdirSync(folder)) copyFileSync(join(folder, file), join(out, name, file));
      }
    } },
};
