/* What every shader of the sweeps starts with: the arguments and the arithmetic. */
#extension GL_EXT_control_flow_attributes : require
#include "kernels/sweep/text.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(push_constant) uniform Push /* struct sweep_push */
{
    uint slot, words, in_from, out_from;
    uint pattern, pass, groups, rounds, units;
}
push;

#define THREADS 256u
