// Typed access to the JSON tree: what is there must be what it ought to be.
import { ModelError } from "./rig";

export type Json = { [key: string]: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function arrayOf(object: Json, key: string, place: string): unknown[] {
  const value = object[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new ModelError(`${place}: "${key}" is not an array`);
  return value;
}

export function objectOf(object: Json, key: string, place: string): Json {
  const value = object[key];
  if (value === undefined) throw new ModelError(`${place}: no "${key}"`);
  if (!isObject(value)) throw new ModelError(`${place}: "${key}" is not an object`);
  return value;
}

/** An array of objects, as all the top-level ones are. */
export function tableOf(object: Json, key: string, place: string): Json[] {
  return arrayOf(object, key, place).map((item, i) => {
    if (!isObject(item)) throw new ModelError(`${place}: ${key}[${i}] is not an object`);
    return item;
  });
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export function sizeOf(object: Json, key: string, place: string, fallback = 0): number {
  const value = object[key];
  if (value === undefined) return fallback;
  if (!isWhole(value)) throw new ModelError(`${place}: "${key}" is not a whole number of 0 or more`);
  return value;
}

/** An index below count; -1 if it is not there. */
export function indexOf(object: Json, key: string, place: string, count: number): number {
  const value = object[key];
  if (value === undefined) return -1;
  if (!isWhole(value)) throw new ModelError(`${place}: "${key}" is not an index`);
  if (value >= count) throw new ModelError(`${place}: "${key}" is ${value}, but there are ${count}`);
  return value;
}

export function indexValue(value: unknown, place: string, count: number): number {
  if (!isWhole(value)) throw new ModelError(`${place}: not an index`);
  if (value >= count) throw new ModelError(`${place}: index ${value}, but there are ${count}`);
  return value;
}

/** Exactly count finite numbers, or null if they are not there. */
export function floatsOf(object: Json, key: string, place: string, count: number): Float32Array | null {
  if (object[key] === undefined) return null;
  const values = arrayOf(object, key, place);
  if (values.length !== count) throw new ModelError(`${place}: "${key}" has ${values.length} numbers, not ${count}`);
  return Float32Array.from(values, (value, i) => {
    if (typeof value !== "number" || !Number.isFinite(Math.fround(value)))
      throw new ModelError(`${place}: "${key}"[${i}] is not a finite number`);
    return value;
  });
}

export function nameOf(object: Json): string | null {
  return typeof object.name === "string" ? object.name : null;
}
