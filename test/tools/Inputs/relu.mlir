func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "ttir.relu"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "ttir.relu"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
