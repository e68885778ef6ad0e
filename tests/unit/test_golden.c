/* Golden hashes: the answers of all queries are what they were when the tables below were recorded,
 * on every tree and instruction set, and by every way of asking (support/golden.h).
 *
 * GRAZE_GOLDEN_PRINT set: prints the tables as they would be recorded now. A row whose input
 * differs was given other poses, which the mathematical library has a part in: that alone breaks no
 * promise.
 */
#include "harness.h"

#include "scenes/synth.h"
#include "scenes/worm.h"
#include "support/golden.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <graze/ext/inspect.h>
#include <graze/rig.h>

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 3, MAX_MORPHS = 64, BRUTE_TRIANGLES = 500, LARGE_TRIANGLES = 1000 };

/* What was recorded, of one model with one skinning. */
typedef struct golden {
    const char *name; /* of a procedural mesh, or a file in the folder of models */
    graze_skinning skinning;
    uint32_t hashes[GOLDEN_FAMILY_COUNT]; /* in the order of golden_family */
} golden;

/* clang-format off */
static const golden procedural[] = {
    {"man", GRAZE_LINEAR,
     {0x2d57ffaf, 0x918a0a30, 0x01040133, 0x43e0cd2d, 0x1c588138, 0xab741955,
      0x106565cb, 0xae92bea0, 0x9c1933a5, 0xc0d1859b, 0x1083a64c, 0x30f90455,
      0x3bc2aa50}},
    {"man", GRAZE_SPHERICAL,
     {0x2d57ffaf, 0xe51b298f, 0x4eef2c26, 0xb864f155, 0xfbe487d1, 0xbdca35c7,
      0xe8ef5efa, 0x854990f5, 0x9c1933a5, 0xb164d3c4, 0x836525a3, 0x91917734,
      0xb3d7ca5e}},
    {"man", GRAZE_DUAL,
     {0x2d57ffaf, 0x1d0865b7, 0x4eef2c26, 0xb864f155, 0x6fc372fd, 0x6913f645,
      0xe8ef5efa, 0x854990f5, 0x9c1933a5, 0xa24e0313, 0x26beab8a, 0x5a3f6f7f,
      0xc43bf99d}},
    {"creature", GRAZE_LINEAR,
     {0xaf1b1179, 0x1d487f39, 0x01f886c9, 0xc9a3b327, 0xbfedd09f, 0xebaea109,
      0xb931e79f, 0x4a904c3c, 0xd4332be1, 0x926571fd, 0x930ee27f, 0x8e31cbfc,
      0x401373e2}},
    {"creature", GRAZE_SPHERICAL,
     {0xaf1b1179, 0x7f82ec3d, 0x2a4d9502, 0xf40175c0, 0x29244a72, 0x4d0e46ad,
      0xcba856b6, 0xaaa4d7fa, 0xd4332be1, 0xb28b5ab8, 0x4d6b7e82, 0x2b65142a,
      0x6cd8f12f}},
    {"creature", GRAZE_DUAL,
     {0xaf1b1179, 0x85c367d8, 0x2a4d9502, 0xf40175c0, 0xd1e2c70c, 0x7d63b148,
      0xb6721c77, 0xaaa4d7fa, 0xd4332be1, 0x3faff3a9, 0xa7da3201, 0x2b65142a,
      0x3b8cb981}},
    {"dwarf", GRAZE_LINEAR,
     {0x27ab9478, 0x86aa63b6, 0xe0acdadd, 0xfd6c96c4, 0xee6aff72, 0x0b2e9cdf,
      0x476d1da5, 0x4a39d4b7, 0xb27640b9, 0x9142c3c4, 0x266a8af8, 0xb5e8757b,
      0xd55bc600}},
    {"dwarf", GRAZE_SPHERICAL,
     {0x27ab9478, 0xd143b9e6, 0x8f548185, 0xfd6c96c4, 0x35fbf044, 0x61f08232,
      0x0dc91b24, 0x02bf344e, 0xb27640b9, 0xf857e7dc, 0xab2c3bd5, 0xaba232cf,
      0x56f03291}},
    {"dwarf", GRAZE_DUAL,
     {0x27ab9478, 0x16cbf6f0, 0x8f548185, 0xfd6c96c4, 0xdf4df292, 0x43988c16,
      0x85beb453, 0x18ed2455, 0xb27640b9, 0xbbcdd84d, 0x45c93e8a, 0x307a5805,
      0x2b3d23c7}},
    {"curtain", GRAZE_LINEAR,
     {0xeb98dfb3, 0x759559ab, 0x6539b62b, 0x81ee1cd2, 0x1853f51b, 0xc90c762f,
      0xd90b2d99, 0xfcc7b804, 0xece65e0f, 0x12cdda3b, 0xd0d4b5ac, 0x7eb7aeee,
      0xbd32402a}},
    {"chair", GRAZE_LINEAR,
     {0x5635b910, 0xba8b7236, 0x669371ff, 0xd1512ae7, 0x6d8f663f, 0x9a223c57,
      0xa569e15d, 0xe8acbb6c, 0x05fb146e, 0x1a2d853f, 0x62550340, 0xd0a37055,
      0x894d0e47}},
    {"ball", GRAZE_LINEAR,
     {0xddd37a85, 0x4ed2ff06, 0x0a22bf23, 0x81ee1cd2, 0x7549c569, 0x1042d67a,
      0x184861bc, 0x1469598f, 0x7b8926fd, 0x0e1f1bea, 0x74b67dc8, 0x7eb7aeee,
      0x0a373a09}},
    {"robot", GRAZE_LINEAR,
     {0xaa059ecb, 0x828ab17e, 0x2730807d, 0x126ecd7c, 0x75e3a079, 0x69271be3,
      0x8fd8e0a0, 0xbf882d47, 0x1bc9ff1a, 0xdb6e0a69, 0xf3dbb443, 0xc386ce94,
      0xd3a4bc12}},
    {"robot-skinned", GRAZE_LINEAR,
     {0xaa059ecb, 0xbe45f9a9, 0xcbdfaec9, 0xdf0ce928, 0xcd0a8de7, 0xd697f1df,
      0xc1b9e248, 0x7e29c6b8, 0x1bc9ff1a, 0x61220d1a, 0x00f93aaa, 0xb32dfdd7,
      0x00048039}},
    {"robot-skinned", GRAZE_DUAL,
     {0xaa059ecb, 0x450a88db, 0x6f24e9f2, 0xdf0ce928, 0xce392d1b, 0xb8a8d1aa,
      0xe22e4c96, 0x593fb550, 0x1bc9ff1a, 0xd1dad281, 0xea5bc46b, 0xb32dfdd7,
      0x85ad3b03}},
    {"worm", GRAZE_LINEAR,
     {0x05c89074, 0x3dc389cb, 0x72d12d2c, 0x81ee1cd2, 0xd6c85b51, 0xb2e8ca64,
      0xe73b1263, 0xdc051d2c, 0xfb47e92c, 0x293fa327, 0x365c90e5, 0x7eb7aeee,
      0xb7bc68bf}},
    {"worm", GRAZE_SPHERICAL,
     {0x05c89074, 0x976e16d2, 0x84c26d37, 0x81ee1cd2, 0x86562f21, 0x61dac95b,
      0x1b27a4d3, 0xc442fff4, 0xfb47e92c, 0x44fd93e5, 0x92aaaee1, 0x7eb7aeee,
      0xbe1e2414}},
    {"worm", GRAZE_DUAL,
     {0x05c89074, 0xe995bd2c, 0xbbbd21bb, 0x81ee1cd2, 0xfbc72e66, 0x30232ebe,
      0x2f69e5c1, 0x129ff325, 0xfb47e92c, 0x44c0058e, 0x5e8fa088, 0x7eb7aeee,
      0xf64d459a}},
    {"lattice", GRAZE_LINEAR,
     {0x41c3a8ec, 0xae382dbf, 0xa8934c64, 0xbd6c52b4, 0xce7a1420, 0xaaf83085,
      0x1c6f60af, 0x74308848, 0xece65e0f, 0x03b65f40, 0xa9234479, 0xd4b8e4e7,
      0xfab2e7e0}},
    {"lattice", GRAZE_SPHERICAL,
     {0x41c3a8ec, 0x8aec566b, 0x1440b99a, 0x21e5dd27, 0x83b1fdf8, 0xbad8047e,
      0x1d6a8a48, 0x5a34a1f8, 0xece65e0f, 0xef22d71b, 0x2ad61219, 0xa3462d38,
      0xcd591a0a}},
    {"lattice", GRAZE_DUAL,
     {0x41c3a8ec, 0xd481a8ba, 0xcbbd2802, 0xdd24d228, 0x26da3848, 0xbbe5ad0e,
      0xc047c7c5, 0xbc5d84a5, 0xece65e0f, 0x06c8bb5f, 0xbae44b25, 0x61e83665,
      0x295b8d64}},
};

static const golden shared[] = {
    {"AnimatedMorphCube.glb", GRAZE_LINEAR,
     {0x44886807, 0xc94907cd, 0x6ea88450, 0x81ee1cd2, 0x93f708f2, 0xf7d14935,
      0xa4be4d31, 0x716b2237, 0xb50a5904, 0xb543d13c, 0x7409f32f, 0x7eb7aeee,
      0x2f2763e5}},
    {"AnimatedMorphCube-Quantized/AnimatedMorphCube.gltf", GRAZE_LINEAR,
     {0x8ba8cd74, 0x1fcb5c24, 0x81ee1cd2, 0x81ee1cd2, 0x282d15f6, 0x56c9a3e6,
      0xd57fbcfd, 0x95708ad8, 0x56b8e347, 0x69488d24, 0xe2760c0a, 0x7eb7aeee,
      0x2f2763e5}},
    {"CesiumMan.glb", GRAZE_LINEAR,
     {0x4c72f6f2, 0x4f14d129, 0xa1951741, 0x9284e8a8, 0x193755b0, 0xbbbd58ea,
      0xb98fc2a2, 0x1438b168, 0x7a3e0fa0, 0x6058eaaf, 0x08979067, 0x82e65246,
      0xb85d5aca}},
    {"CesiumMan.glb", GRAZE_DUAL,
     {0x4c72f6f2, 0x0eef0916, 0xd5b82ab0, 0xaa797f4d, 0x193755b0, 0xe2d5e99e,
      0xb935e83f, 0x1ed8dc36, 0x7a3e0fa0, 0x9a586724, 0x750395aa, 0x96b6834d,
      0xb85d5aca}},
    {"ChairDamaskPurplegold-geom.glb", GRAZE_LINEAR,
     {0xe2171c25, 0x0249d4de, 0x154c5a61, 0xc5834939, 0xbe140253, 0x2430ec79,
      0xf9f002df, 0x21d9c946, 0x3fe8f13b, 0x9a490b46, 0x4e742cf7, 0x99bd0b7c,
      0x0de6b464}},
    {"Fox.glb", GRAZE_LINEAR,
     {0xf4624924, 0xb52c7a26, 0x66175a97, 0x3fb4cf78, 0x5ecdf092, 0x7b07dc2b,
      0x99f067a6, 0xc94597d0, 0x1ede938e, 0xff7fda60, 0xd66cb327, 0xe8a9d1c2,
      0xda40eff5}},
    {"Fox.glb", GRAZE_SPHERICAL,
     {0xf4624924, 0x7e71e977, 0x1a2fd3fa, 0x56fcd4f8, 0xb4329970, 0x982d04f3,
      0x99f05bee, 0x1ac4d7fa, 0x1ede938e, 0x3c125dff, 0x796aabd3, 0x156fffea,
      0xe7a868e0}},
    {"Fox.glb", GRAZE_DUAL,
     {0xf4624924, 0x0a0aec2e, 0x1a2fd3fa, 0xf7a58b63, 0xeaf0a8c7, 0x68d5af7e,
      0x99f05bee, 0x1ac4d7fa, 0x1ede938e, 0x41fecb6b, 0xd7e9f12c, 0x3d263448,
      0x9a7a3222}},
    {"InterpolationTest.glb", GRAZE_LINEAR,
     {0x90dc9e05, 0x967f764a, 0x801be890, 0x81ee1cd2, 0x22ad8abc, 0x69e0cf42,
      0x4c196f86, 0x5aba93cf, 0xece65e0f, 0xda0c07a5, 0xb9a9347b, 0x7eb7aeee,
      0x6a4b2595}},
    {"MorphStressTest.glb", GRAZE_LINEAR,
     {0xacd82b3e, 0x2eac66e0, 0xd9599f95, 0xfa7369bd, 0xaaadeee8, 0x5c996899,
      0x0aec9bca, 0xc2a6e03c, 0xa55845e0, 0x7566b109, 0x96cbab1e, 0xec0f1c1b,
      0x7a9daec0}},
    {"RiggedFigure.glb", GRAZE_LINEAR,
     {0x06e88d68, 0xc9046c28, 0xf7f432c3, 0x81ee1cd2, 0xd8cdc6fb, 0x4331c124,
      0x0facbb3e, 0x33ee99b1, 0x56b8e347, 0x11eaf0b9, 0xd8f1aa90, 0x7eb7aeee,
      0x4e21a633}},
    {"RiggedFigure.glb", GRAZE_SPHERICAL,
     {0x06e88d68, 0xbdd7401b, 0xf7f432c3, 0x81ee1cd2, 0x3a792354, 0xe1d48d16,
      0x0facbb3e, 0x33ee99b1, 0x56b8e347, 0x39f04313, 0xef439d0a, 0x7eb7aeee,
      0x20d41592}},
    {"RiggedFigure.glb", GRAZE_DUAL,
     {0x06e88d68, 0x9abe9381, 0xf7f432c3, 0x81ee1cd2, 0xdb0bdbec, 0xbd061e30,
      0x0facbb3e, 0x33ee99b1, 0x56b8e347, 0xdd768c4e, 0x60ef3283, 0x7eb7aeee,
      0x18e536aa}},
    {"RobotExpressive.glb", GRAZE_LINEAR,
     {0xdcce8c99, 0x7020adad, 0x2fe14e2e, 0x449d9938, 0xeae72e9c, 0xfb23353c,
      0x88d98cce, 0x335cc072, 0x3fe8f13b, 0x30436251, 0xecee0143, 0xbbd657c6,
      0x3b79f385}},
    {"SimpleSkin.gltf", GRAZE_LINEAR,
     {0xf0fddda7, 0x95752419, 0x5ba44cdb, 0x81ee1cd2, 0xb41ed012, 0x9a5a3047,
      0x8c29d62f, 0xf6d7cbf8, 0xece65e0f, 0x1ab8a515, 0xb6dd6342, 0x7eb7aeee,
      0x6b436aa0}},
    {"SimpleSkin.gltf", GRAZE_SPHERICAL,
     {0xf0fddda7, 0x4a4829d8, 0x9b70ef0d, 0x81ee1cd2, 0xfc9dac6f, 0x4e924e4c,
      0x93abfe11, 0x527e7457, 0xece65e0f, 0x5a7e1ce4, 0xe0758933, 0x7eb7aeee,
      0xe92121e9}},
    {"SimpleSkin.gltf", GRAZE_DUAL,
     {0xf0fddda7, 0x31eb5769, 0xe0026c87, 0x81ee1cd2, 0x065ed07d, 0x6a854017,
      0x93abfe11, 0x527e7457, 0xece65e0f, 0xe7795b08, 0xd9dfc9c6, 0x7eb7aeee,
      0x0557e033}},
    {"SimpleSparseAccessor.gltf", GRAZE_LINEAR,
     {0xa8a1beb1, 0x68eed78a, 0xc59f78d7, 0x81ee1cd2, 0x5bfad086, 0xd7ff70ea,
      0x8e504326, 0x74bdc568, 0xece65e0f, 0xa132d23f, 0xb91d4feb, 0x7eb7aeee,
      0xaf088353}},
    {"mountain_landscape/scene.gltf", GRAZE_LINEAR,
     {0x185e60aa, 0xe0559842, 0x985b94c5, 0x08eb25a3, 0x4cddb2df, 0x745dc2a5,
      0x741c99d9, 0xd1546c57, 0x3fe8f13b, 0x0500bf9d, 0x4c66cdd1, 0xb1d2d1ff,
      0xf283f3c4}},
    {"synthetic/all_same_names.gltf", GRAZE_LINEAR,
     {0x06e88d68, 0xc9046c28, 0xf7f432c3, 0x81ee1cd2, 0xd8cdc6fb, 0x4331c124,
      0x0facbb3e, 0x33ee99b1, 0x56b8e347, 0x11eaf0b9, 0xd8f1aa90, 0x7eb7aeee,
      0x4e21a633}},
    {"synthetic/joints1_8influences.gltf", GRAZE_LINEAR,
     {0x06e88d68, 0x1223fbb7, 0x159fd792, 0x81ee1cd2, 0x39a70839, 0x6ebe829d,
      0x4b1b0f71, 0x48ad32ed, 0x56b8e347, 0x68c228e4, 0x22a0be0e, 0x7eb7aeee,
      0xe47b4903}},
    {"synthetic/joints1_8influences.gltf", GRAZE_SPHERICAL,
     {0x06e88d68, 0xe3cd03d5, 0xc7858a5a, 0x81ee1cd2, 0x4d936b76, 0xef3e7693,
      0xa5e8578a, 0x5facad8d, 0x56b8e347, 0x8302b78b, 0xd1e6b865, 0x7eb7aeee,
      0x1a71306d}},
    {"synthetic/joints1_8influences.gltf", GRAZE_DUAL,
     {0x06e88d68, 0x5e00268f, 0xc7858a5a, 0x81ee1cd2, 0x69596e66, 0x1a2576f3,
      0x4f493fb7, 0x5facad8d, 0x56b8e347, 0x9c173a16, 0xb5c57a77, 0x7eb7aeee,
      0x5fb21b60}},
    {"synthetic/no_inverse_bind.gltf", GRAZE_LINEAR,
     {0x1791e7d8, 0x77292edb, 0x2f6b149d, 0xe2f1db1e, 0xafa7cd97, 0x9d917d53,
      0x34e32f5c, 0x00125a05, 0x56b8e347, 0xa3e5e0f8, 0xf82b6000, 0xc5a15b05,
      0x3f5f618b}},
    {"synthetic/rotation_i16norm.gltf", GRAZE_SPHERICAL,
     {0x5845dcf8, 0xcea44a64, 0xf7f432c3, 0x81ee1cd2, 0xac169637, 0x91c1fc10,
      0x0facbb3e, 0x33ee99b1, 0x56b8e347, 0x6329f760, 0xcab69714, 0x7eb7aeee,
      0xa2bbcda6}},
    {"synthetic/skin_morph_anim.gltf", GRAZE_LINEAR,
     {0xc93f31f6, 0xd618f1ae, 0x9a955782, 0x2d549754, 0x3d6c6575, 0xde9b14f4,
      0xdde9e3b4, 0x18e1724e, 0xece65e0f, 0x72a4ce6d, 0xa4a1c8a8, 0x2577d62d,
      0x2d7c93bd}},
    {"synthetic/skin_morph_anim.gltf", GRAZE_SPHERICAL,
     {0xc93f31f6, 0xb0f94030, 0x9a955782, 0xbfb9983b, 0x9e6df7f5, 0x64a399cf,
      0xdde9e3b4, 0x18e1724e, 0xece65e0f, 0x75441b8d, 0x43076419, 0x34c51a76,
      0x10f78868}},
    {"synthetic/skin_morph_anim.gltf", GRAZE_DUAL,
     {0xc93f31f6, 0x0cc96950, 0x9a955782, 0x1e38148d, 0xeeb12abf, 0x6550041d,
      0xdde9e3b4, 0x18e1724e, 0xece65e0f, 0x1dcad1ed, 0x86493f54, 0xe1129043,
      0xb47bd49f}},
    {"synthetic/skin_morph_sparse.gltf", GRAZE_DUAL,
     {0xc93f31f6, 0x0cc96950, 0x9a955782, 0x1e38148d, 0xeeb12abf, 0x6550041d,
      0xdde9e3b4, 0x18e1724e, 0xece65e0f, 0x1dcad1ed, 0x86493f54, 0xe1129043,
      0xb47bd49f}},
    {"synthetic/skinned_mesh_instanced_twice.gltf", GRAZE_LINEAR,
     {0x06e88d68, 0x2ec33576, 0x5c77be8c, 0x81ee1cd2, 0xba567d1f, 0x4331c124,
      0xc75bfe42, 0x7cd9f133, 0x56b8e347, 0xc0bee509, 0xdb3a61e5, 0x7eb7aeee,
      0xa50e0697}},
    {"synthetic/start_time_1s.gltf", GRAZE_DUAL,
     {0x49644916, 0xff017bf6, 0xa9165c82, 0x4d7ed79f, 0x5ec6e3ba, 0x15793c70,
      0x8aea0e5e, 0x102578b8, 0x56b8e347, 0x14ff0bdd, 0x2441ad0e, 0xd67ec661,
      0x16e38a37}},
    {"synthetic/step.gltf", GRAZE_SPHERICAL,
     {0xca8b5aed, 0xeb3a36ca, 0xbf5f622d, 0xa23ef695, 0x11c00606, 0x5e2350e6,
      0x75e7456b, 0x102578b8, 0x56b8e347, 0xac9b9210, 0x2f9e5c53, 0x0cc61b86,
      0xbd502f84}},
    {"synthetic/tri_strip.gltf", GRAZE_LINEAR,
     {0x06e88d68, 0xc9046c28, 0xbedaa9ab, 0x1890f78c, 0x9d7b2ced, 0x3391ebd5,
      0xcb1572cd, 0x3bf90622, 0xece65e0f, 0x4f83ab97, 0xa61bc84e, 0xb7855d62,
      0x5c8f60ac}},
    {"synthetic/unnamed_nodes.gltf", GRAZE_LINEAR,
     {0x06e88d68, 0xc9046c28, 0xf7f432c3, 0x81ee1cd2, 0xd8cdc6fb, 0x4331c124,
      0x0facbb3e, 0x33ee99b1, 0x56b8e347, 0x11eaf0b9, 0xd8f1aa90, 0x7eb7aeee,
      0x4e21a633}},
    {"synthetic/weights_u16norm.gltf", GRAZE_DUAL,
     {0x06e88d68, 0x1c439463, 0xf7f432c3, 0x81ee1cd2, 0x8d7e1af2, 0xe709f069,
      0x0facbb3e, 0x33ee99b1, 0x56b8e347, 0xe948a209, 0xf5fabbe0, 0x7eb7aeee,
      0x9d8c0bd8}},
};
/* clang-format on */

/* A mesh and what moves it. */
typedef struct subject {
    graze_rig *rig; /* NULL: the soup */
    soup soup;
    graze_model_def def;
    graze_morph_target morphs[MAX_MORPHS];
    uint32_t *morph_vertices; /* of morph targets that were added here */
    float *morph_deltas;
    double middle[3], extent; /* at rest */
} subject;

/* Rotation by a quaternion of whole numbers: no library function, one rounding a number. */
static void turn(const int q[4], double m[3][3])
{
    int w = q[0], x = q[1], y = q[2], z = q[3];
    double n = w * w + x * x + y * y + z * z;
    const int entries[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[i][k] = entries[i][k] / n;
}

/* Turns about the subject's middle, and moves by so many extents. */
static void place(const subject *s, const int q[4], const double move[3], float placement[12])
{
    double m[3][3];
    turn(q, m);
    for (int i = 0; i < 3; i++) {
        double at = s->middle[i] + move[i] * s->extent;
        for (int k = 0; k < 3; k++) {
            placement[4 * i + k] = (float)m[i][k];
            at -= m[i][k] * s->middle[k];
        }
        placement[4 * i + 3] = (float)at;
    }
}

/* Linear parts that are no rotations: they must be split, or blended as they are. */
static void deform_joints(float *joints, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++)
        for (uint32_t i = 0; i < 3; i++) {
            float *row = joints + 12 * (size_t)j + 4 * i;
            row[0] *= j % 2 ? 1.125f : 0.875f;
            row[1] += j % 3 ? 0.0625f * row[2] : 0;
        }
}

/* Poses a body: the first or second of a pair, at the start or the end of its motion. */
static void set_pose(golden_run *r, const subject *s, graze_body *body, uint32_t frame,
                     uint32_t which, bool end)
{
    static const int turns[4][4] = {{1, 0, 0, 0}, {7, 1, -2, 3}, {5, -3, 1, 1}, {2, 1, 5, -1}};
    static const double moves[FRAMES][3] = {
        {0.11, 0.07, -0.05}, {0.43, -0.17, 0.21}, {1.5, 0.8, -0.9}};
    static const int bends[2][4] = {{19, 1, -2, 1}, {17, -1, 0, 2}};
    test_random random = test_random_seed(16 * frame + which);
    float *joints = malloc((size_t)12 * s->def.joint_count * sizeof *joints);
    float weights[MAX_MORPHS] = {0}, placement[12];
    if (s->rig) {
        uint32_t clip = s->rig->clip_count ? frame % s->rig->clip_count : GRAZE_NONE;
        double seconds = s->rig->clip_count ? (double)s->rig->clips[clip].seconds : 0;
        double time = seconds * (0.1 + 0.27 * frame + 0.37 * which) + (end ? 0.04 : 0);
        if (graze_rig_sample(s->rig, clip, time, joints, weights))
            abort();
        if (frame == 2)
            deform_joints(joints, s->def.joint_count);
    } else {
        pose_make(MAP_LATTICE, &s->soup, &random, joints);
    }
    for (uint32_t m = 0; s->morph_vertices && m < s->def.morph_count; m++)
        weights[m] = (float)((int)(test_random_u32(&random) % 33) - 16 + (end ? 2 : 0)) / 32;
    double move[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        move[k] = (which ? moves[frame][k] : 0) - (which && end ? 0.05 : 0);
    place(s, which ? turns[frame + 1] : end ? bends[frame % 2] : turns[0], move, placement);
    const graze_pose pose = {.joints = joints,
                             .joint_count = s->def.joint_count,
                             .placement = placement,
                             .morph_weights = weights,
                             .morph_count = s->def.morph_count};
    graze_error error = {.text = ""};
    CHECK_MSG(graze_body_set_pose(body, &pose, &error) == GRAZE_OK, "%s: %s", r->name, error.text);
    golden_note_pose(r, &pose);
    free(joints);
}

/* The ball is a tenth of the subject, and somewhere on its side. */
static void place_ball(golden_run *r, const subject *s, uint32_t frame)
{
    const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const float scale = (float)(s->extent * 0.7);
    const float placement[12] = {
        scale, 0,     0,     (float)(s->middle[0] + 0.1 * s->extent * frame),
        0,     scale, 0,     (float)(s->middle[1] + 0.1 * s->extent),
        0,     0,     scale, (float)s->middle[2]};
    const graze_pose pose = {.joints = identity, .joint_count = 1, .placement = placement};
    graze_error error = {.text = ""};
    CHECK_MSG(graze_body_set_pose(r->ball, &pose, &error) == GRAZE_OK, "%s", error.text);
}

/* Morph targets where a rig has none: one that swells all, a sparse one, and one that names
 * vertices twice.
 */
static void add_morphs(subject *s)
{
    uint32_t vertices = s->def.vertex_count;
    test_random random = test_random_seed(5);
    s->morph_vertices = malloc(2 * vertices * sizeof *s->morph_vertices);
    s->morph_deltas = malloc(9 * (size_t)vertices * sizeof *s->morph_deltas);
    for (uint32_t v = 0; v < vertices; v++) {
        s->morph_vertices[v] = v / 2 * 2;
        s->morph_vertices[vertices + v] = vertices - 1 - v / 3 * 3;
    }
    for (uint32_t i = 0; i < 3 * vertices; i++) {
        s->morph_deltas[i] = 0.25f * (s->def.positions[i] - (float)s->middle[i % 3]);
        for (uint32_t m = 1; m < 3; m++)
            s->morph_deltas[3 * m * vertices + i] =
                (float)(s->extent * test_random_range(&random, -0.01, 0.01));
    }
    for (uint32_t m = 0; m < 3; m++)
        s->morphs[m] =
            (graze_morph_target){m ? s->morph_vertices + (m - 1) * vertices : NULL,
                                 s->morph_deltas + 3 * (size_t)m * vertices, vertices / (1 + m)};
    s->def.morphs = s->morphs;
    s->def.morph_count = 3;
}

static void open_soup(subject *s)
{
    const soup_def def = {.vertex_count = 60,
                          .triangle_count = 64,
                          .joint_count = 6,
                          .max_influences = 3,
                          .size = 2,
                          .lattice = true};
    test_random random = test_random_seed(11);
    s->soup = soup_make(&def, &random);
    s->def = soup_model_def(&s->soup);
}

static bool open_subject(subject *s, const char *name, const char *folder)
{
    graze_error error = {.text = ""};
    graze_synth_def synth = {.triangles = 480};
    const graze_worm_def worm = {.triangles = 480, .joints = 24, .influences = 5};
    graze_status status = GRAZE_OK;
    memset(s, 0, sizeof *s);
    if (folder) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, name);
        status = test_rig_load(path, &s->rig, &error);
    } else if (strcmp(name, "worm") == 0) {
        status = graze_worm(&worm, NULL, &s->rig, &error);
    } else if (strcmp(name, "lattice") == 0) {
        open_soup(s);
    } else {
        CHECK(graze_synth_find(name, &synth.kind));
        status = graze_synth(&synth, NULL, &s->rig, &error);
    }
    CHECK_MSG(status == GRAZE_OK, "%s: %s", name, error.text);
    if (status)
        return false;
    if (s->rig) {
        s->def = graze_rig_model_def(s->rig);
        if (s->rig->morph_count > MAX_MORPHS)
            abort();
        graze_rig_morph_targets(s->rig, s->morphs);
        s->def.morphs = s->morphs;
        s->def.morph_count = s->rig->morph_count;
    }
    s->extent = test_extent(s->def.positions, s->def.vertex_count, s->middle);
    if (!folder && (strcmp(name, "dwarf") == 0 || strcmp(name, "lattice") == 0))
        add_morphs(s);
    return true;
}

static void close_subject(subject *s)
{
    graze_rig_destroy(s->rig);
    soup_free(&s->soup);
    free(s->morph_vertices);
    free(s->morph_deltas);
    memset(s, 0, sizeof *s);
}

OWN_VALUE(subject, close_subject)

static uint32_t fold(uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32);
}

static void print_row(const golden *row, const golden_run *r)
{
    static const char *const skinnings[] = {"GRAZE_LINEAR", "GRAZE_SPHERICAL", "GRAZE_DUAL"};
    printf("    {\"%s\", %s,\n     {", row->name, skinnings[row->skinning]);
    for (int i = 0; i < GOLDEN_FAMILY_COUNT; i++)
        printf("0x%08x%s", fold(r->sums[i]),
               i + 1 == GOLDEN_FAMILY_COUNT ? "}},\n"
               : i % 6 == 5                 ? ",\n      "
                                            : ", ");
}

/* All frames of one row, with one tree on one instruction set; *first is whether nothing was
 * printed for this row yet.
 */
static void check_run(const golden *row, const subject *s, const graze_model_def *ball,
                      graze_tree_def tree, graze_isa isa, bool *first)
{
    static const char *const isas[] = {"best", "base", "avx2", "avx512"};
    bool large = s->def.triangle_count > LARGE_TRIANGLES;
    char name[160];
    snprintf(name, sizeof name, "%s, skinning %d, %s, %s", row->name, (int)row->skinning,
             tree.volume == GRAZE_BOXES ? "boxes" : "spheres", isas[isa]);
    golden_run r = {.name = name, .extent = s->extent};
    graze_model_def def = s->def, other = *ball;
    memcpy(r.middle, s->middle, sizeof r.middle);
    def.skinning = row->skinning;
    def.tree = tree;
    def.no_self_collision = tree.volume != GRAZE_BOXES;
    def.isa = other.isa = isa;
    r.all_ways = (*first && !test_is_brief() && !TEST_IS_SANITIZED) ||
                 (isa == GRAZE_ISA_BASE && !large && !test_is_quick());
    r.brute =
        r.all_ways && *first && !TEST_IS_SANITIZED && s->def.triangle_count <= BRUTE_TRIANGLES;
    if (golden_open(&r, &def, &other)) {
        for (uint32_t frame = 0; frame < (large ? 1 : FRAMES); frame++) {
            for (uint32_t i = 0; i < 4; i++)
                set_pose(&r, s, i < 2 ? r.a[i] : r.b[i - 2], frame, i / 2, i % 2);
            place_ball(&r, s, frame);
            golden_ask(&r, frame);
        }
        if (*first && getenv("GRAZE_GOLDEN_PRINT"))
            print_row(row, &r);
        for (int i = 0; i < GOLDEN_FAMILY_COUNT; i++)
            CHECK_MSG(fold(r.sums[i]) == row->hashes[i], "%s: %s is 0x%08x, was 0x%08x", name,
                      golden_family_names[i], fold(r.sums[i]), row->hashes[i]);
    }
    golden_close(&r);
    *first = false;
}

/* Every instruction set with boxes; with spheres, which take long to build, large models only on
 * one.
 */
static void check_row(const golden *row, const subject *s, const graze_model_def *ball)
{
    bool large = s->def.triangle_count > LARGE_TRIANGLES, first = true;
    for (int isa = GRAZE_ISA_BASE; isa <= GRAZE_ISA_AVX512; isa++)
        if (graze_isa_available((graze_isa)isa))
            check_run(row, s, ball, (graze_tree_def){0}, (graze_isa)isa, &first);
    for (int isa = GRAZE_ISA_BASE; isa <= GRAZE_ISA_AVX512; isa++)
        if (graze_isa_available((graze_isa)isa) && !test_is_brief() &&
            (isa == GRAZE_ISA_BASE || (!large && !test_is_quick())))
            check_run(row, s, ball, graze_paper_tree(), (graze_isa)isa, &first);
}

static void check_table(const golden *rows, size_t count, const char *folder)
{
    OWN(subject) ball = {0};
    subject s = {0};
    bool opened = false;
    REQUIRE(open_subject(&ball, "ball", NULL));
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(rows[i].name, rows[i - 1].name) != 0) {
            close_subject(&s);
            opened = open_subject(&s, rows[i].name, folder);
        }
        if (opened)
            check_row(&rows[i], &s, &ball.def);
    }
    close_subject(&s);
}

TEST(answers_for_procedural_models_are_as_recorded)
{
    check_table(procedural, sizeof procedural / sizeof *procedural, NULL);
}

TEST(answers_for_shared_models_are_as_recorded)
{
    if (!test_models_folder())
        SKIP_ALLOWED("no shared models");
    check_table(shared, sizeof shared / sizeof *shared, test_models_folder());
}
