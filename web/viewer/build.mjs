// Bundles the viewer: `node build.mjs OUT WASM MODELS`, where MODELS holds the built-in .glb files. The
// page is a script with the module in it; what is not needed at once is in scripts beside it, which a
// page opened from disk may load, as it may not fetch.
import { mkdirSync, readdirSync, readFileSync, writeFileSync, copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [out, wasm, models] = process.argv.slice(2), here = dirname(fileURLToPath(import.meta.url));
const three = dirname(dirname(createRequire(import.meta.url).resolve("three")));
const libraries = join(three, "examples/jsm/libs");

/** A script that leaves a value for src/files.ts. */
const parcel = (name, value) => `(window.grazeParcel??={})[${JSON.stringify(name)}]=${value};\n`;

mkdirSync(join(out, "models"), { recursive: true });
const shared = { bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "eof", logLevel: "warning" };
const module = {
  name: "wasm",
  setup(builder) {
    builder.onResolve({ filter: /^graze\.wasm$/ }, () => ({ path: wasm, namespace: "wasm" }));
    builder.onLoad({ filter: /.*/, namespace: "wasm" }, () => ({ contents: readFileSync(wasm), loader: "binary" }));
  },
};
await build({ ...shared, entryPoints: [join(here, "src/main.ts")], outfile: join(out, "viewer.js"), plugins: [module] });
await build({ ...shared, outfile: join(out, "meshopt.js"), stdin: {
  contents: `import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";
    ${parcel("meshopt", "MeshoptDecoder")}`, resolveDir: here } });

const draco = (name) => join(libraries, "draco/gltf", name);
writeFileSync(join(out, "draco.js"), readFileSync(draco("draco_wasm_wrapper.js"), "utf8") + "\n" +
  parcel("draco", `{make:DracoDecoderModule,wasm:"${readFileSync(draco("draco_decoder.wasm")).toString("base64")}"}`));
for (const file of readdirSync(models).filter((name) => name.endsWith(".glb"))) {
  const name = basename(file, ".glb"), bytes = readFileSync(join(models, file)).toString("base64");
  writeFileSync(join(out, "models", `${name}.js`), parcel(`model:${name}`, `"${bytes}"`));
}
copyFileSync(join(here, "index.html"), join(out, "index.html"));
writeFileSync(join(out, "viewer.css"), ["../page/page.css", "viewer.css"].map((file) => readFileSync(join(here, file), "utf8")).join("\n"));
writeFileSync(join(out, "LICENSES.txt"), `three.js (viewer.js)\n\n${readFileSync(join(three, "LICENSE"), "utf8")}` +
  "\nmeshoptimizer's decoder (meshopt.js): Copyright Arseny Kapoulkine, MIT License, https://github.com/zeux/meshoptimizer\n" +
  "\nDraco's decoder (draco.js): Copyright The Draco Authors, Apache License 2.0, https://github.com/google/draco\n");
