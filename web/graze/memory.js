// The module's memory: arrays in, answers out. Views are made anew whenever the memory has grown,
// and whatever is handed to the caller is a copy, so that nobody holds a view that growing detaches.

/** What went wrong, in the words of the library. */
export class GrazeError extends Error {
  constructor(text) {
    super(text);
    this.name = "GrazeError";
  }
}

const text = new TextDecoder();

export class Memory {
  constructor(exports) {
    this.exports = exports;
    this.buffer = null;
    this.scratch = 0;
    this.scratchBytes = 0;
  }

  refresh() {
    const buffer = this.exports.memory.buffer;
    if (buffer === this.buffer) return this;
    this.buffer = buffer;
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u8 = new Uint8Array(buffer);
    this.view = new DataView(buffer);
    return this;
  }

  /** The text that stands there, up to its zero. */
  textAt(address) {
    const { u8 } = this.refresh();
    return text.decode(u8.slice(address, u8.indexOf(0, address)));
  }

  allocate(bytes) {
    const address = this.exports.allocate(bytes);
    if (!address) throw new GrazeError("out of memory");
    return address;
  }

  /** Copies arrays of numbers into memory of their own for the time of a call. Null stays 0. */
  with(arrays, call) {
    const addresses = [];
    try {
      for (const array of arrays) addresses.push(array ? this.copy(array) : 0);
      return call(...addresses);
    } finally {
      for (const address of addresses) if (address) this.exports.release(address);
    }
  }

  copy(array) {
    const address = this.allocate(array.byteLength);
    this.put(address, array);
    return address;
  }

  put(address, array) {
    const { f32, f64, u32 } = this.refresh();
    if (array instanceof Float64Array) f64.set(array, address / 8);
    else (array instanceof Uint32Array ? u32 : f32).set(array, address / 4);
  }

  /** A place for that many floats that stays until the next call, and costs nothing once it is there. */
  floats(count) {
    if (count * 4 > this.scratchBytes) {
      if (this.scratch) this.exports.release(this.scratch);
      this.scratch = this.scratchBytes = 0;
      this.scratch = this.allocate(count * 4);
      this.scratchBytes = count * 4;
    }
    return this.scratch;
  }

  /** Throws the module's error where a status or count says that there is one. */
  check(failed) {
    if (failed) throw new GrazeError(this.textAt(this.exports.error_text()));
  }

  /** The answer as that many 32-bit numbers. */
  answer(count) {
    const start = this.exports.answer() / 4;
    return this.refresh().u32.slice(start, start + count);
  }
}

/** Three or more floats from a view of the module's memory. */
export function vector(view, address, count) {
  const values = new Array(count);
  for (let i = 0; i < count; i++) values[i] = view.getFloat32(address + 4 * i, true);
  return values;
}

/** The caller's numbers as the type that the module takes, checked for their count. */
export function numbers(Type, value, name, count) {
  if (!value || typeof value.length !== "number")
    throw new GrazeError(`${name} is not an array of numbers`);
  if (count !== undefined && value.length !== count)
    throw new GrazeError(`${name} has ${value.length} numbers, not ${count}`);
  if (value instanceof Type) return value;
  if (Type === Uint32Array)
    for (let i = 0; i < value.length; i++)
      if (!Number.isInteger(value[i]) || value[i] < 0 || value[i] > 0xffffffff)
        throw new GrazeError(`${name}[${i}] is ${value[i]}, not a whole number from 0 to 4294967295`);
  return Type.from(value);
}
