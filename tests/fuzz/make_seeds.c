/* Writes a few small valid models into a folder, for fuzz_gltf to start from; compressed ones, too,
 * where the reader has their decoders.
 */
#include "gltf_support.h"

#if defined(GRAZE_TEST_MESHOPT) || defined(GRAZE_TEST_DRACO)
#include "packed/pack.h"
#endif

static int seed_count;

static void write_seed(const char *folder, const small_file *file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/seed-%d", folder, seed_count++);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(file->data, 1, file->size, out) != file->size || fclose(out) != 0) {
        perror(path);
        exit(2);
    }
}

/* In the fuzzer's own framing: 'J', text, zero, data. */
static void write_framed(const char *folder, const unsigned char *glb, size_t size)
{
    small_file parts = {NULL, 0};
    uint32_t length = glb[12] | (uint32_t)glb[13] << 8 | (uint32_t)glb[14] << 16;
    small_put(&parts, "J", 1);
    small_put(&parts, glb + 20, length);
    small_put(&parts, "", 1);
    small_put(&parts, glb + 28 + length, size - 28 - length);
    write_seed(folder, &parts);
    free(parts.data);
}

static void write_parts(const char *folder, const char *from, const char *to)
{
    small_file glb = small_glb(&small_values, from, to);
    write_framed(folder, glb.data, glb.size);
    free(glb.data);
}

static void write_packed(const char *folder, const small_file *glb)
{
    for (int way = 0; way < 4; way++) {
        unsigned char *packed = NULL;
        size_t size = 0;
#ifdef GRAZE_TEST_MESHOPT
        packed = meshopt_pack_glb(glb->data, glb->size, way % 2, &size);
        write_framed(folder, packed, size);
        free(packed);
#endif
#ifdef GRAZE_TEST_DRACO
        packed = draco_pack_glb(glb->data, glb->size, way % 2, way / 2 * 11, &size);
        write_framed(folder, packed, size);
        free(packed);
#endif
        (void)glb, (void)packed, (void)size, (void)folder;
    }
}

int main(int argc, char **argv)
{
    static const char positions[] = SMALL_ACCESSOR(0, 5126, 4, "VEC3");
    if (argc != 2) {
        fprintf(stderr, "usage: make_seeds FOLDER\n");
        return 2;
    }
    small_file glb = small_glb(&small_values, NULL, NULL), gltf = small_gltf(&small_values);
    write_seed(argv[1], &glb);
    write_seed(argv[1], &gltf);
    write_packed(argv[1], &glb);
    free(glb.data);
    free(gltf.data);
    write_parts(argv[1], NULL, NULL);
    write_parts(argv[1], "\"indices\":1,", "\"indices\":1,\"mode\":5,");
    write_parts(argv[1], "\"indices\":1,", "\"mode\":6,");
    write_parts(argv[1], ",\"skin\":0", "");
    write_parts(argv[1], "\"LINEAR\"", "\"STEP\"");
    write_parts(argv[1], "\"name\":\"hip\"", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,3,0,0,1]");
    write_parts(argv[1], positions,
                "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":"
                "{\"count\":3,\"indices\":{\"bufferView\":1,\"componentType\":5123},\"values\":"
                "{\"bufferView\":7}}}");
    write_parts(argv[1], positions,
                "{\"bufferView\":0,\"componentType\":5122,\"normalized\":true,\"count\":4,"
                "\"type\":\"VEC3\"}");
    return 0;
}
