/* The models in WebGL 2. A shader skins them: joint matrices and morph weights of a frame are a
 * texture, the influences of all vertices another. What it reads of hits was found by the command.
 */

const POSE_SHADER = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform bool has_offsets;      // of skinning that is not linear, from the command
uniform float blend;           // from this frame to the next, vertices moving straight
uniform int joint_count, pose_size;
uniform sampler2D poses;       // two of them: three rows a joint, then the weights of morphs
uniform sampler2D influences;  // joint, weight
uniform sampler2D morphs;      // delta, target
uniform vec4 placement[6];
uniform vec3 low[2], high[2];
uniform mat4 projection;
layout(location = 0) in vec3 rest;
layout(location = 1) in vec3 rest_normal;
layout(location = 2) in uvec4 runs;    // of influences and of morphs: first, end
layout(location = 3) in vec3 offset;   // as a part of the box from low to high
layout(location = 4) in vec3 next_offset;
out vec3 world;
out vec3 normal;

vec4 texel(sampler2D table, int i)
{
    int width = textureSize(table, 0).x;
    return texelFetch(table, ivec2(i % width, i / width), 0);
}

vec3 posed(int frame, vec3 given, out vec3 turned)
{
    int base = frame * pose_size;
    vec3 moved = rest, sum = vec3(0), direction = vec3(0);
    for (int i = int(runs.z); i < int(runs.w); i++) {
        vec4 morph = texel(morphs, i);
        moved += morph.xyz * texel(poses, base + 3 * joint_count + int(morph.w)).x;
    }
    for (int i = int(runs.x); i < int(runs.y); i++) {
        vec4 influence = texel(influences, i);
        int joint = base + 3 * int(influence.x);
        vec4 x = texel(poses, joint), y = texel(poses, joint + 1), z = texel(poses, joint + 2);
        vec4 point = vec4(moved, 1);
        sum += influence.y * vec3(dot(x, point), dot(y, point), dot(z, point));
        direction += influence.y * vec3(dot(x.xyz, rest_normal), dot(y.xyz, rest_normal),
                                        dot(z.xyz, rest_normal));
    }
    vec4 x = placement[3 * frame], y = placement[3 * frame + 1], z = placement[3 * frame + 2];
    turned = vec3(dot(x.xyz, direction), dot(y.xyz, direction), dot(z.xyz, direction));
    vec3 place = vec3(dot(x, vec4(sum, 1)), dot(y, vec4(sum, 1)), dot(z, vec4(sum, 1)));
    bool off = has_offsets && runs.y - runs.x > 1u;
    return off ? place + mix(low[frame], high[frame], given) : place;
}

void main()
{
    vec3 unused;
    world = posed(0, offset, normal);
    if (blend > 0.0)
        world = mix(world, posed(1, next_offset, unused), blend);
    gl_Position = projection * vec4(world, 1);
}`;

const SURFACE_SHADER = `#version 300 es
precision highp float;
uniform vec4 colour;
uniform float shade;           // 0: the plain colour
uniform vec3 eye;
in vec3 world;
in vec3 normal;
out vec4 result;

void main()
{
    vec3 facet = normalize(cross(dFdx(world), dFdy(world)));
    vec3 view = normalize(eye - world);
    vec3 n = dot(normal, normal) > 1e-12 ? normalize(normal) : facet;
    if (dot(n, view) < 0.0)
        n = -n;
    float light = 0.42 + 0.2 * n.y + 0.42 * max(dot(n, normalize(view + vec3(0.25, 0.55, 0.1))), 0.0);
    result = vec4(colour.rgb * mix(1.0, light, shade), colour.a);
}`;

const LINE_VERTICES = `#version 300 es
precision highp float;
uniform mat4 projection;
uniform float point_size;
layout(location = 0) in vec3 place;
void main()
{
    gl_Position = projection * vec4(place, 1);
    gl_PointSize = point_size;
}`;

const LINE_COLOUR = `#version 300 es
precision highp float;
uniform vec4 colour;
uniform float point_size;      // 1: a line, else a ring
out vec4 result;
void main()
{
    float off = abs(length(gl_PointCoord - 0.5) - 0.42) * point_size;
    float cover = point_size > 1.0 ? clamp(1.5 - off, 0.0, 1.0) : 1.0;
    result = vec4(colour.rgb, colour.a * cover);
}`;

function makeProgram(gl, vertexText, fragmentText, feedback) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertexText], [gl.FRAGMENT_SHADER, fragmentText]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
      throw new Error(gl.getShaderInfoLog(shader) || "a shader does not compile");
    gl.attachShader(program, shader);
  }
  if (feedback)
    gl.transformFeedbackVaryings(program, feedback, gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new Error(gl.getProgramInfoLog(program) || "a program does not link");
  const uniforms = {};
  for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
    const name = gl.getActiveUniform(program, i).name.replace(/\[0\]$/, "");
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return {program, uniforms};
}

/* A table of texels in rows, read one by one. */
class Table {
  constructor(gl, texels) {
    this.gl = gl;
    this.width = Math.min(Math.max(texels, 1), 1024);
    this.height = Math.max(Math.ceil(texels / this.width), 1);
    if (this.height > gl.getParameter(gl.MAX_TEXTURE_SIZE))
      throw new Error("the model is too large for this graphics card");
    this.values = new Float32Array(4 * this.width * this.height);
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, this.width, this.height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  upload() {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, this.width, this.height, gl.RGBA, gl.FLOAT, this.values);
  }
}

/* Normals of the vertices at rest, as long as the triangles around are large. */
function ownNormals({positions, triangles}) {
  const normals = new Float32Array(positions.length), n = [0, 0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      n[k] = (positions[b + i] - positions[a + i]) * (positions[c + j] - positions[a + j]) -
        (positions[b + j] - positions[a + j]) * (positions[c + i] - positions[a + i]);
    }
    for (let k = 0; k < 3; k++) {
      normals[a + k] += n[k];
      normals[b + k] += n[k];
      normals[c + k] += n[k];
    }
  }
  return normals;
}

/* The same, of vertices in one place together where an edge is not sharp. */
function smoothNormals(model) {
  const {positions} = model, own = ownNormals(model), joined = own.slice(), places = new Map();
  for (let v = 0; v < positions.length; v += 3) {
    const key = `${positions[v]},${positions[v + 1]},${positions[v + 2]}`, here = places.get(key);
    if (here)
      here.push(v);
    else
      places.set(key, [v]);
  }
  const dot = (u, v) => own[u] * own[v] + own[u + 1] * own[v + 1] + own[u + 2] * own[v + 2];
  for (const here of places.values())
    for (const u of here.length > 1 ? here : [])
      for (const v of here)
        if (u !== v && dot(u, v) > 0.75 * Math.sqrt(dot(u, u) * dot(v, v)))
          for (let k = 0; k < 3; k++)
            joined[u + k] += own[v + k];
  return joined;
}
