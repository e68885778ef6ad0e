// Animations: each becomes a clip, each of its channels with keys of its own.
import { Buffers, readFloats } from "./buffers";
import { indexOf, isObject, Json, nameOf, objectOf, tableOf, arrayOf } from "./json";
import { Instance } from "./meshes";
import { normalise } from "./nodes";
import { INTERPOLATIONS, ModelError, PATHS, RigChannel, RigClip, RigNode } from "./rig";

const TYPES = ["VEC3", "VEC4", "VEC3", "SCALAR"];

class AnimationReader {
  private readonly byNode: Map<number, Instance>;

  constructor(private readonly buffers: Buffers, private readonly json: Json[], private readonly nodes: RigNode[],
    instances: Instance[]) {
    this.byNode = new Map(instances.map((instance) => [instance.node, instance]));
  }

  clip(json: Json, index: number): RigClip {
    const place = `animations[${index}]`, samplers = tableOf(json, "samplers", place);
    const clip: RigClip = { name: nameOf(json), seconds: 0, channels: [] };
    arrayOf(json, "channels", place).forEach((item, i) => this.channel(item, samplers, `${place}.channels[${i}]`, clip));
    return clip;
  }

  /** One that moves nothing here only counts for the clip's length. */
  private channel(json: unknown, samplers: Json[], place: string, clip: RigClip): void {
    if (!isObject(json)) throw new ModelError(`${place}: not an object`);
    const channel: RigChannel = { path: 0, interpolation: 0, node: 0, firstMorph: 0, morphCount: 0,
      times: new Float32Array(), values: new Float32Array() };
    const kept = this.target(json, place, channel), sampler = indexOf(json, "sampler", place, samplers.length);
    if (sampler < 0) throw new ModelError(`${place}: no "sampler"`);
    const source = samplers[sampler];
    channel.interpolation = source.interpolation === undefined ? 0 : INTERPOLATIONS.indexOf(String(source.interpolation));
    if (channel.interpolation < 0) throw new ModelError(`${place}: unknown interpolation`);
    channel.times = this.times(source, place);
    clip.seconds = Math.max(clip.seconds, channel.times[channel.times.length - 1]);
    if (!kept) return;
    channel.values = this.values(source, place, channel);
    clip.channels.push(channel);
  }

  private target(json: Json, place: string, channel: RigChannel): boolean {
    const target = objectOf(json, "target", place), node = indexOf(target, "node", place, this.nodes.length);
    if (node < 0) return false;
    channel.node = node;
    channel.path = PATHS.indexOf(String(target.path));
    if (channel.path < 0) throw new ModelError(`${place}: unknown target path`);
    if (channel.path < 3) {
      if (this.nodes[node].matrix) throw new ModelError(`${place}: animates nodes[${node}], which has a matrix`);
      return true;
    }
    const instance = this.byNode.get(node), hasMesh = this.json[node].mesh !== undefined;
    if (hasMesh && !instance) return false;
    if (!instance?.morphCount)
      throw new ModelError(`${place}: animates weights of nodes[${node}], which has no morph targets`);
    channel.firstMorph = instance.firstMorph;
    channel.morphCount = instance.morphCount;
    return true;
  }

  private times(sampler: Json, place: string): Float32Array {
    const index = indexOf(sampler, "input", place, this.buffers.accessors.length);
    if (index < 0) throw new ModelError(`${place}: no "input"`);
    const times = readFloats(this.buffers.open(index, "SCALAR", place, true));
    times.forEach((time, k) => {
      if (k === 0 ? time < 0 : time <= times[k - 1])
        throw new ModelError(`accessors[${index}]: key times must ascend from 0 or more, but key ${k} does not`);
    });
    return times;
  }

  private values(sampler: Json, place: string, channel: RigChannel): Float32Array {
    const index = indexOf(sampler, "output", place, this.buffers.accessors.length);
    if (index < 0) throw new ModelError(`${place}: no "output"`);
    const accessor = this.buffers.open(index, TYPES[channel.path], place), keys = channel.times.length;
    const cubic = INTERPOLATIONS[channel.interpolation] === "CUBICSPLINE";
    const expected = keys * (channel.path === 3 ? channel.morphCount : 1) * (cubic ? 3 : 1);
    if (accessor.count !== expected)
      throw new ModelError(`accessors[${index}]: ${accessor.count} values where the ${keys} keys of ${place} need ${expected}`);
    const values = readFloats(accessor);
    for (let k = 0; channel.path === 1 && k < keys; k++) {
      const at = cubic ? 12 * k + 4 : 4 * k;
      if (!normalise(values.subarray(at, at + 4))) throw new ModelError(`${place}: rotation key ${k} is zero`);
    }
    return values;
  }
}

export function readAnimations(buffers: Buffers, top: Json, json: Json[], nodes: RigNode[], instances: Instance[]): RigClip[] {
  const reader = new AnimationReader(buffers, json, nodes, instances);
  return tableOf(top, "animations", "top level").map((animation, i) => reader.clip(animation, i));
}
