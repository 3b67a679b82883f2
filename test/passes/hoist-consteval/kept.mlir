// RUN: tt-opt %s --hoist-consteval | filecheck %s

// Inputs, unmarked arguments, random ops and what they feed are never hoisted; nor is a value that
// a user writes in place.
// CHECK-NOT: const_eval
func.func @unmarked(%w: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.neg"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @random(%w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4xf32> {
  %0 = "ttir.rand"() {size = [4 : i32]} : () -> tensor<4xf32>
  %1 = "ttir.add"(%0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @cache(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x8x4xf32> {
  %0 = "ttir.zeros"() {shape = array<i32: 1, 2, 8, 4>} : () -> tensor<1x2x8x4xf32>
  "ttir.fill_cache"(%0, %x) {batch_offset = 0 : i32} : (tensor<1x2x8x4xf32>, tensor<1x2x3x4xf32>) -> ()
  return %0 : tensor<1x2x8x4xf32>
}
