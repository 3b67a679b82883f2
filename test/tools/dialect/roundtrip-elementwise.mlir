// TTIR's elementwise ops, all of them, in tt-mlir's spelling.
// What is printed is what ttmlir-opt takes: the generic form, each attribute of its kind. It reads
// back as the same, as text and as bytecode.

// RUN: tt-opt %s -o %t.mlir
// RUN: filecheck %s --input-file %t.mlir
// RUN: tt-opt %t.mlir -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir
// RUN: tt-opt %t.mlir --emit-bytecode -o %t.mlirbc
// RUN: tt-opt %t.mlirbc -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir

// CHECK: "ttir.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @abs(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.abs"(%arg0) : (tensor<f32>) -> tensor<f32>
func.func @abs_2(%arg0: tensor<f32>) {
  %0 = "ttir.abs"(%arg0) : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK: "ttir.acos"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @acos(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.acos"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.adamw"(%arg0, %arg1, %arg2, %arg3) {beta1 = 1.000000e-01 : f32, beta1_pow = 1.000000e-01 : f32, beta2 = 1.000000e-01 : f32, beta2_pow = 1.000000e-01 : f32, epsilon = 1.000000e-01 : f32, lr = 1.000000e-01 : f32, weight_decay = 1.000000e-01 : f32} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @adamw(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) {
  %0:3 = "ttir.adamw"(%arg0, %arg1, %arg2, %arg3) <{lr = 0.1 : f32, beta1 = 0.1 : f32, beta2 = 0.1 : f32, beta1_pow = 0.1 : f32, beta2_pow = 0.1 : f32, epsilon = 0.1 : f32, weight_decay = 0.1 : f32}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK: "ttir.adamw"(%arg0, %arg1, %arg2, %arg3, %arg4) {beta1 = 1.000000e-01 : f32, beta1_pow = 1.000000e-01 : f32, beta2 = 1.000000e-01 : f32, beta2_pow = 1.000000e-01 : f32, epsilon = 1.000000e-01 : f32, lr = 1.000000e-01 : f32, weight_decay = 1.000000e-01 : f32} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @adamw_2(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  %0:4 = "ttir.adamw"(%arg0, %arg1, %arg2, %arg3, %arg4) <{lr = 0.1 : f32, beta1 = 0.1 : f32, beta2 = 0.1 : f32, beta1_pow = 0.1 : f32, beta2_pow = 0.1 : f32, epsilon = 0.1 : f32, weight_decay = 0.1 : f32}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK: "ttir.add"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @add(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) {
  %0 = "ttir.add"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.add"(%arg0, %arg1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
func.func @add_2(%arg0: tensor<2x1xf32>, %arg1: tensor<3xf32>) {
  %0 = "ttir.add"(%arg0, %arg1) : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.asin"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @asin(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.asin"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.asinh"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @asinh(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.asinh"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.atan"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @atan(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.atan"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.atan2"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @atan2(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.atan2"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.bitcast_convert"(%arg0) : (tensor<2xf32>) -> tensor<2xi32>
func.func @bitcast_convert(%arg0: tensor<2xf32>) {
  %0 = "ttir.bitcast_convert"(%arg0) : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// CHECK: "ttir.bitcast_convert"(%arg0) : (tensor<2xbf16>) -> tensor<2xui16>
func.func @bitcast_convert_2(%arg0: tensor<2xbf16>) {
  %0 = "ttir.bitcast_convert"(%arg0) : (tensor<2xbf16>) -> tensor<2xui16>
  return
}

// CHECK: "ttir.bitwise_and"(%arg0, %arg1) : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
func.func @bitwise_and(%arg0: tensor<4x8xi32>, %arg1: tensor<8xi32>) {
  %0 = "ttir.bitwise_and"(%arg0, %arg1) : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return
}

// CHECK: "ttir.bitwise_not"(%arg0) : (tensor<4x8xi32>) -> tensor<4x8xi32>
func.func @bitwise_not(%arg0: tensor<4x8xi32>) {
  %0 = "ttir.bitwise_not"(%arg0) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}

// CHECK: "ttir.bitwise_or"(%arg0, %arg1) : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
func.func @bitwise_or(%arg0: tensor<4x8xi32>, %arg1: tensor<8xi32>) {
  %0 = "ttir.bitwise_or"(%arg0, %arg1) : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return
}

// CHECK: "ttir.bitwise_xor"(%arg0, %arg1) : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
func.func @bitwise_xor(%arg0: tensor<4x8xi32>, %arg1: tensor<8xi32>) {
  %0 = "ttir.bitwise_xor"(%arg0, %arg1) : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  return
}

// CHECK: "ttir.cbrt"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @cbrt(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.cbrt"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.ceil"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @ceil(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.ceil"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.clamp_scalar"(%arg0) {max = 0x7F800000 : f32, min = 0.000000e+00 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @clamp_scalar(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.clamp_scalar"(%arg0) <{min = 0.0 : f32, max = 0x7F800000 : f32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.clamp_scalar"(%arg0) {max = 6 : i32, min = 0 : i32} : (tensor<2x3xi32>) -> tensor<2x3xi32>
func.func @clamp_scalar_2(%arg0: tensor<2x3xi32>) {
  %0 = "ttir.clamp_scalar"(%arg0) <{min = 0 : i32, max = 6 : i32}> : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK: "ttir.clamp_tensor"(%arg0, %arg1, %arg2) : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
func.func @clamp_tensor(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2x1xf32>) {
  %0 = "ttir.clamp_tensor"(%arg0, %arg1, %arg2) : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.cos"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @cos(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.cos"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.div"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @div(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.div"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.eq"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
func.func @eq(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) {
  %0 = "ttir.eq"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return
}

// CHECK: "ttir.erf"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @erf(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.erf"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.erfc"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @erfc(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.erfc"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.exp"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @exp(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.exp"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.exp2"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @exp2(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.exp2"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.expm1"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @expm1(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.expm1"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.floor"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @floor(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.floor"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.frac"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @frac(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.frac"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.ge"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
func.func @ge(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.ge"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.gelu"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @gelu(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.gelu"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.gelu_bw"(%arg0, %arg1) {approximate = "tanh"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @gelu_bw(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) {
  %0 = "ttir.gelu_bw"(%arg0, %arg1) <{approximate = "tanh"}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.gt"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
func.func @gt(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.gt"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.hardsigmoid"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @hardsigmoid(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.hardsigmoid"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.isfinite"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xi1>
func.func @isfinite(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.isfinite"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.le"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
func.func @le(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.le"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.leaky_relu"(%arg0) {parameter = 1.000000e-01 : f32} : (tensor<2xf32>) -> tensor<2xf32>
func.func @leaky_relu(%arg0: tensor<2xf32>) {
  %0 = "ttir.leaky_relu"(%arg0) <{parameter = 0.1 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK: "ttir.log"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @log(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.log"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.log1p"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @log1p(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.log1p"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.logical_and"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
func.func @logical_and(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.logical_and"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.logical_left_shift"(%arg0, %arg1) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
func.func @logical_left_shift(%arg0: tensor<2xui8>, %arg1: tensor<2xui8>) {
  %0 = "ttir.logical_left_shift"(%arg0, %arg1) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return
}

// CHECK: "ttir.logical_not"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xi1>
func.func @logical_not(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.logical_not"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.logical_or"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
func.func @logical_or(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.logical_or"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.logical_right_shift"(%arg0, %arg1) : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi1>
func.func @logical_right_shift(%arg0: tensor<4x8xi32>, %arg1: tensor<8xi32>) {
  %0 = "ttir.logical_right_shift"(%arg0, %arg1) : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.logical_xor"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
func.func @logical_xor(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.logical_xor"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.lt"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
func.func @lt(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.lt"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.maximum"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @maximum(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.maximum"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.minimum"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @minimum(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.minimum"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.mish"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @mish(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.mish"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.multiply"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @multiply(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.multiply"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.ne"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
func.func @ne(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.ne"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.neg"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @neg(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.neg"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.pow"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @pow(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.pow"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.reciprocal"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @reciprocal(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.reciprocal"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.relu"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @relu(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.relu"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.relu6"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @relu6(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.relu6"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.remainder"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @remainder(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.remainder"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.right_shift"(%arg0, %arg1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
func.func @right_shift(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) {
  %0 = "ttir.right_shift"(%arg0, %arg1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// CHECK: "ttir.rsqrt"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @rsqrt(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.rsqrt"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.selu"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
func.func @selu(%arg0: tensor<2xf32>) {
  %0 = "ttir.selu"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK: "ttir.selu"(%arg0) {alpha = 1.000000e+00 : f32, scale = 1.000000e+00 : f32} : (tensor<2xf32>) -> tensor<2xf32>
func.func @selu_2(%arg0: tensor<2xf32>) {
  %0 = "ttir.selu"(%arg0) <{scale = 1.0 : f32, alpha = 1.0 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK: "ttir.sigmoid"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @sigmoid(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.sigmoid"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.sign"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @sign(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.sign"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.signbit"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xi1>
func.func @signbit(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.signbit"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}

// CHECK: "ttir.silu"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @silu(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.silu"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.sin"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @sin(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.sin"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.softsign"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @softsign(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.softsign"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.sqrt"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @sqrt(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.sqrt"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.square"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @square(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.square"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.subtract"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @subtract(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = "ttir.subtract"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.tan"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @tan(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.tan"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.tanh"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @tanh(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.tanh"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.trunc"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @trunc(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.trunc"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.typecast"(%arg0) {conservative_folding = true} : (tensor<2xf32>) -> tensor<2xi32>
func.func @typecast(%arg0: tensor<2xf32>) {
  %0 = "ttir.typecast"(%arg0) <{conservative_folding = true}> : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// CHECK: "ttir.where"(%arg0, %arg1, %arg2) : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
func.func @where(%arg0: tensor<2x1xi1>, %arg1: tensor<2x3xf32>, %arg2: tensor<3xf32>) {
  %0 = "ttir.where"(%arg0, %arg1, %arg2) : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}
