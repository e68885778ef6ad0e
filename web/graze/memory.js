// The module's memory: arrays in, answers out. Views are made anew whenever the memory has grown,
// and whatever is handed to the caller is a copy, so that nobody holds a view that growing detaches.

/** What went wrong, in the words of the library. */
export class GrazeError extends Error {
  constructor(text) {
    super(text);
    this.name = "GrazeError";
  }
}

/** The functions of a new instance of a module, which imports nothing. */
export async function start(module) {
  const { exports } = await WebAssembly.instantiate(module);
  exports._initialize();
  return exports;
}

const text = new TextDecoder();
const EMPTY = new Uint32Array(0); // making one is slower than a query that finds nothing

export class Memory {
  constructor(exports) {
    this.exports = exports;
    this.scratch = 0;
    this.scratchBytes = 0;
    this.#view();
  }

  /** Views of the memory as it is. A buffer that was outgrown is detached, which is quicker to see
   * than to ask the memory for its buffer. */
  refresh() {
    if (this.u8.length === 0) this.#view();
    return this;
  }

  #view() {
    const buffer = this.exports.memory.buffer;
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u8 = new Uint8Array(buffer);
    this.view = new DataView(buffer);
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

  /** As put(); calls of a frame have few floats, for which a loop is quicker. */
  putFloats(address, array) {
    const { f32 } = this.refresh(), first = address / 4;
    if (array.length > 48) f32.set(array, first);
    else for (let i = 0; i < array.length; i++) f32[first + i] = array[i];
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
    if (count === 0) return EMPTY;
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
