// RUN: tt-opt %s --recompose-batch-norm | filecheck %s

// CHECK-LABEL: func.func @image
// CHECK: %[[R:.+]] = torch.aten.batch_norm %arg0, %arg1, %arg2, %arg3, %arg4, %false, %{{.+}}, %float1.000000e-05, %false
// CHECK-NEXT: return %[[R]]
func.func @image(%x: !torch.vtensor<[2,4,5,5],f32>, %w: !torch.vtensor<[4],f32>, %b: !torch.vtensor<[4],f32>, %mean: !torch.vtensor<[4],f32>, %variance: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4,5,5],f32> {
  %f32 = torch.constant.int 6
  %epsilon = torch.constant.float 1.000000e-05
  %one = torch.constant.int 1
  %last = torch.constant.int -1
  %0 = torch.prims.convert_element_type %mean, %f32 : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],f32>
  %1 = torch.aten.add.Scalar %variance, %epsilon, %one : !torch.vtensor<[4],f32>, !torch.float, !torch.int -> !torch.vtensor<[4],f32>
  %2 = torch.aten.sqrt %1 : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %3 = torch.aten.reciprocal %2 : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %4 = torch.aten.mul.Scalar %3, %one : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],f32>
  %5 = torch.aten.unsqueeze %0, %last : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4,1],f32>
  %6 = torch.aten.unsqueeze %5, %last : !torch.vtensor<[4,1],f32>, !torch.int -> !torch.vtensor<[4,1,1],f32>
  %7 = torch.aten.unsqueeze %4, %last : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4,1],f32>
  %8 = torch.aten.unsqueeze %7, %last : !torch.vtensor<[4,1],f32>, !torch.int -> !torch.vtensor<[4,1,1],f32>
  %9 = torch.aten.sub.Tensor %x, %6, %one : !torch.vtensor<[2,4,5,5],f32>, !torch.vtensor<[4,1,1],f32>, !torch.int -> !torch.vtensor<[2,4,5,5],f32>
  %10 = torch.aten.mul.Tensor %9, %8 : !torch.vtensor<[2,4,5,5],f32>, !torch.vtensor<[4,1,1],f32> -> !torch.vtensor<[2,4,5,5],f32>
  %11 = torch.aten.unsqueeze %w, %last : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4,1],f32>
  %12 = torch.aten.unsqueeze %11, %last : !torch.vtensor<[4,1],f32>, !torch.int -> !torch.vtensor<[4,1,1],f32>
  %13 = torch.aten.mul.Tensor %10, %12 : !torch.vtensor<[2,4,5,5],f32>, !torch.vtensor<[4,1,1],f32> -> !torch.vtensor<[2,4,5,5],f32>
  %14 = torch.aten.unsqueeze %b, %last : !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4,1],f32>
  %15 = torch.aten.unsqueeze %14, %last : !torch.vtensor<[4,1],f32>, !torch.int -> !torch.vtensor<[4,1,1],f32>
  %16 = torch.aten.add.Tensor %13, %15, %one : !torch.vtensor<[2,4,5,5],f32>, !torch.vtensor<[4,1,1],f32>, !torch.int -> !torch.vtensor<[2,4,5,5],f32>
  return %16 : !torch.vtensor<[2,4,5,5],f32>
}

// Without a weight and a bias, and with the product used twice, which ends the pattern there.
// CHECK-LABEL: func.func @plain
// CHECK: %[[R:.+]] = torch.aten.batch_norm %arg0, %none, %none, %arg1, %arg2, %false
// CHECK-NEXT: %[[S:.+]] = torch.aten.mul.Tensor %[[R]], %arg3
// CHECK-NEXT: return %[[R]], %[[S]]
func.func @plain(%x: !torch.vtensor<[3,4],f64>, %mean: !torch.vtensor<[4],f64>, %variance: !torch.vtensor<[4],f64>, %w: !torch.vtensor<[4],f64>) -> (!torch.vtensor<[3,4],f64>, !torch.vtensor<[3,4],f64>) {
  %epsilon = torch.constant.float 1.000000e-03
  %one = torch.constant.int 1
  %0 = torch.aten.add.Scalar %variance, %epsilon, %one : !torch.vtensor<[4],f64>, !torch.float, !torch.int -> !torch.vtensor<[4],f64>
  %1 = torch.aten.rsqrt %0 : !torch.vtensor<[4],f64> -> !torch.vtensor<[4],f64>
  %2 = torch.aten.sub.Tensor %x, %mean, %one : !torch.vtensor<[3,4],f64>, !torch.vtensor<[4],f64>, !torch.int -> !torch.vtensor<[3,4],f64>
  %3 = torch.aten.mul.Tensor %2, %1 : !torch.vtensor<[3,4],f64>, !torch.vtensor<[4],f64> -> !torch.vtensor<[3,4],f64>
  %4 = torch.aten.mul.Tensor %3, %w : !torch.vtensor<[3,4],f64>, !torch.vtensor<[4],f64> -> !torch.vtensor<[3,4],f64>
  return %3, %4 : !torch.vtensor<[3,4],f64>, !torch.vtensor<[3,4],f64>
}

// The vectors lie along the last of three dimensions, which are no channels.
// CHECK-LABEL: func.func @other_dimension
// CHECK-NOT: batch_norm
func.func @other_dimension(%x: !torch.vtensor<[2,4,4],f32>, %mean: !torch.vtensor<[4],f32>, %variance: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4,4],f32> {
  %epsilon = torch.constant.float 1.000000e-03
  %one = torch.constant.int 1
  %0 = torch.aten.add.Scalar %variance, %epsilon, %one : !torch.vtensor<[4],f32>, !torch.float, !torch.int -> !torch.vtensor<[4],f32>
  %1 = torch.aten.rsqrt %0 : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %2 = torch.aten.sub.Tensor %x, %mean, %one : !torch.vtensor<[2,4,4],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[2,4,4],f32>
  %3 = torch.aten.mul.Tensor %2, %1 : !torch.vtensor<[2,4,4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[2,4,4],f32>
  return %3 : !torch.vtensor<[2,4,4],f32>
}
