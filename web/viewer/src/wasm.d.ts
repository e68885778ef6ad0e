// Modules that build.mjs puts in as bytes.
declare module "graze.wasm" {
  const bytes: Uint8Array;
  export default bytes;
}
