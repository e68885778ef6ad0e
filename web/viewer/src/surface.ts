// What a mesh is drawn from: corners whose faces bend gently share a normal, others do not, as found
// once at rest. Files say it with normals, which procedural and exported models often lack.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";

const CREASE = Math.cos((42 * Math.PI) / 180);

/** A number for each vertex, the same for vertices at one place. */
function placesOf(positions: Float32Array): { places: Uint32Array; count: number } {
  const count = positions.length / 3, bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  let size = 16;
  while (size < 2 * count) size *= 2;
  const table = new Int32Array(size).fill(-1), places = new Uint32Array(count);
  let found = 0;
  for (let v = 0; v < count; v++) {
    let slot = (Math.imul(bits[3 * v], 73856093) ^ Math.imul(bits[3 * v + 1], 19349663) ^
      Math.imul(bits[3 * v + 2], 83492791)) & (size - 1);
    while (table[slot] >= 0 && ![0, 1, 2].every((k) => positions[3 * table[slot] + k] === positions[3 * v + k]))
      slot = (slot + 1) & (size - 1);
    if (table[slot] < 0) {
      table[slot] = v;
      places[v] = found++;
    } else places[v] = places[table[slot]];
  }
  return { places, count: found };
}

/** The normal of a triangle, twice its area long, into out. */
function faceNormal(points: Float32Array, a: number, b: number, c: number, out: Float32Array | number[]): void {
  const ux = points[3 * b] - points[3 * a], uy = points[3 * b + 1] - points[3 * a + 1], uz = points[3 * b + 2] - points[3 * a + 2];
  const vx = points[3 * c] - points[3 * a], vy = points[3 * c + 1] - points[3 * a + 1], vz = points[3 * c + 2] - points[3 * a + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}

/** What is found once a mesh. A drawn vertex is a vertex with one of the normals at its place. */
export class Surface {
  readonly source: Uint32Array; // the vertex of each drawn one
  readonly corners: Uint32Array; // the drawn vertices of each triangle
  readonly fans: Uint32Array; // of each drawn vertex: which normal
  readonly fanCount: number;

  constructor(positions: Float32Array, readonly triangles: Uint32Array) {
    const { places, count } = placesOf(positions), faces = triangles.length / 3;
    const first = new Int32Array(count).fill(-1), next: number[] = [], directions: number[] = [];
    const drawn = new Map<number, number>(), source: number[] = [], fans: number[] = [];
    const vertexCount = positions.length / 3, normal = [0, 0, 0];
    this.corners = new Uint32Array(triangles.length);
    for (let t = 0; t < faces; t++) {
      faceNormal(positions, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2], normal);
      const length = Math.hypot(normal[0], normal[1], normal[2]) || 1;
      const [x, y, z] = [normal[0] / length, normal[1] / length, normal[2] / length];
      for (let i = 0; i < 3; i++) {
        const vertex = triangles[3 * t + i], place = places[vertex];
        let fan = first[place];
        while (fan >= 0 && directions[3 * fan] * x + directions[3 * fan + 1] * y + directions[3 * fan + 2] * z < CREASE)
          fan = next[fan];
        if (fan < 0) {
          fan = next.length;
          next.push(first[place]);
          first[place] = fan;
          directions.push(x, y, z);
        }
        const key = fan * vertexCount + vertex;
        let corner = drawn.get(key);
        if (corner === undefined) {
          corner = source.length;
          drawn.set(key, corner);
          source.push(vertex);
          fans.push(fan);
        }
        this.corners[3 * t + i] = corner;
      }
    }
    this.source = Uint32Array.from(source);
    this.fans = Uint32Array.from(fans);
    this.fanCount = next.length;
  }
}

/** The posed surface: positions and normals for the graphics card. */
export class PosedSurface {
  readonly positions: BufferAttribute;
  readonly geometry = new BufferGeometry();
  private readonly normals: BufferAttribute;
  private readonly sums: Float32Array;

  constructor(readonly surface: Surface) {
    const count = 3 * surface.source.length;
    this.positions = new BufferAttribute(new Float32Array(count), 3).setUsage(DynamicDrawUsage);
    this.normals = new BufferAttribute(new Float32Array(count), 3).setUsage(DynamicDrawUsage);
    this.sums = new Float32Array(3 * surface.fanCount);
    this.geometry.setAttribute("position", this.positions);
    this.geometry.setAttribute("normal", this.normals);
    this.geometry.setIndex(new BufferAttribute(surface.corners, 1));
  }

  set(points: Float32Array): void {
    const { source, fans, corners, triangles } = this.surface, { sums } = this, normal = [0, 0, 0];
    const positions = this.positions.array as Float32Array, normals = this.normals.array as Float32Array;
    sums.fill(0);
    for (let at = 0; at < triangles.length; at += 3) {
      faceNormal(points, triangles[at], triangles[at + 1], triangles[at + 2], normal);
      for (let i = 0; i < 3; i++) {
        const sum = 3 * fans[corners[at + i]];
        sums[sum] += normal[0];
        sums[sum + 1] += normal[1];
        sums[sum + 2] += normal[2];
      }
    }
    for (let at = 0; at < sums.length; at += 3) {
      const scale = 1 / (Math.sqrt(sums[at] * sums[at] + sums[at + 1] * sums[at + 1] + sums[at + 2] * sums[at + 2]) || 1);
      sums[at] *= scale;
      sums[at + 1] *= scale;
      sums[at + 2] *= scale;
    }
    for (let i = 0, to = 0; i < source.length; i++)
      for (let k = 0; k < 3; k++, to++) {
        positions[to] = points[3 * source[i] + k];
        normals[to] = sums[3 * fans[i] + k];
      }
    this.positions.needsUpdate = this.normals.needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
  }
}
