// RUN: tt-opt %s --lift-constants=min-bytes=8 --split-input-file | filecheck %s

// A resource keeps its name, and two literals of one resource are one argument; an inline literal
// gets a stable name; small, splat and 0-d literals stay; one without a use goes.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !torch.vtensor<[2],f32>,
// CHECK-SAME: %[[W:[a-z0-9]+]]: !torch.vtensor<[2],f32> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "w"},
// CHECK-SAME: %[[C:[a-z0-9]+]]: !torch.vtensor<[3],si64> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "constant_0"})
// CHECK-NEXT: %[[SPLAT:.+]] = torch.vtensor.literal(dense<1.000000e+00> : tensor<2xf32>)
// CHECK-NEXT: return %[[W]], %[[W]], %[[C]], %[[SPLAT]]
func.func @main(%x: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],f32>) {
  %0 = torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %1 = torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %2 = torch.vtensor.literal(dense<[1, 2, 3]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %3 = torch.vtensor.literal(dense<1.0> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %4 = torch.vtensor.literal(dense<[1.0, 3.0, 4.0]> : tensor<3xf32>) : !torch.vtensor<[3],f32>
  return %0, %1, %2, %3 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],f32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-}

// -----

// ONNX's and TTIR's literals, and equal ones; a small one and a 0-d one stay.
// CHECK-LABEL: func.func @onnx_and_ttir(
// CHECK-SAME: %[[O:[a-z0-9]+]]: !torch.vtensor<[3],si64> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "constant_0"},
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<2x2xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "constant_1"})
// CHECK-NEXT: %[[SMALL:.+]] = "ttir.constant"() {value = dense<[1, 2]> : tensor<2xi8>}
// CHECK-NEXT: %[[SCALAR:.+]] = "ttir.constant"() {value = dense<5> : tensor<i64>}
// CHECK-NEXT: return %[[O]], %[[T]], %[[T]], %[[SMALL]], %[[SCALAR]]
func.func @onnx_and_ttir() -> (!torch.vtensor<[3],si64>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2xi8>, tensor<i64>) {
  %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, -2, 3]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %1 = "ttir.constant"() {value = dense<[[1.0, -0.0], [2.0, 3.0]]> : tensor<2x2xbf16>} : () -> tensor<2x2xbf16>
  %2 = "ttir.constant"() {value = dense<[[1.0, -0.0], [2.0, 3.0]]> : tensor<2x2xbf16>} : () -> tensor<2x2xbf16>
  %3 = "ttir.constant"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2xi8>
  %4 = "ttir.constant"() {value = dense<5> : tensor<i64>} : () -> tensor<i64>
  return %0, %1, %2, %3, %4 : !torch.vtensor<[3],si64>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2xi8>, tensor<i64>
}

// -----

// The literals of two functions are one parameter; a name in use is not taken, and a resource has
// its own before an inline literal could.
// CHECK-LABEL: func.func @first(
// CHECK-SAME: ttir.name = "w"}
// CHECK-SAME: ttir.name = "constant_1"}
// CHECK-SAME: ttir.name = "constant_0"}
// CHECK-SAME: ttir.name = "w_0"}
// CHECK-LABEL: func.func @second(
// CHECK-SAME: ttir.name = "constant_0"}
// CHECK-SAME: ttir.name = "constant_1"}
// CHECK-SAME: ttir.name = "constant_2"}
func.func @first(%x: tensor<2xf32> {ttir.name = "w"}) -> (tensor<2xf32>, tensor<3xi32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = "ttir.constant"() {value = dense<[1, 2, 3]> : tensor<3xi32>} : () -> tensor<3xi32>
  %1 = "ttir.constant"() {value = dense_resource<constant_0> : tensor<2xf32>} : () -> tensor<2xf32>
  %2 = "ttir.constant"() {value = dense_resource<w> : tensor<2xf32>} : () -> tensor<2xf32>
  return %x, %0, %1, %2 : tensor<2xf32>, tensor<3xi32>, tensor<2xf32>, tensor<2xf32>
}
func.func @second() -> (tensor<2xf32>, tensor<3xi32>, tensor<3xi32>) {
  %1 = "ttir.constant"() {value = dense_resource<constant_0> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ttir.constant"() {value = dense<[1, 2, 3]> : tensor<3xi32>} : () -> tensor<3xi32>
  %2 = "ttir.constant"() {value = dense<[1, 2, 4]> : tensor<3xi32>} : () -> tensor<3xi32>
  return %1, %0, %2 : tensor<2xf32>, tensor<3xi32>, tensor<3xi32>
}

{-#
  dialect_resources: {
    builtin: {
      constant_0: "0x040000000000803F00000040",
      w: "0x040000000000003F00000040"
    }
  }
#-}

// -----

// Parameters and constants that nothing uses leave the signature; inputs, and unmarked arguments,
// which callers pass, stay, as does the signature of a function that others call.
// CHECK: func.func @unused(%{{.+}}: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %[[W:.+]]: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "used"}, %{{.+}}: tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT: call @called(%[[W]], %[[W]])
// CHECK: func.func @called(%{{.+}}: tensor<2xf32> {{.+}}, %{{.+}}: tensor<2xf32> {{.+}}) -> tensor<2xf32>
func.func @unused(%x: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %a: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "never"}, %w: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "used"}, %u: tensor<4xf32>, %c: tensor<3xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<2xf32> {
  %0 = call @called(%w, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @called(%a: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2xf32> {
  return %w : tensor<2xf32>
}
