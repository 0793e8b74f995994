#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>

namespace keyaxis {

using Index = Eigen::Index;

/// One (batch, head) slice: rows are queries or tokens, columns are keys or features.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;
using MutableMatrixView = Eigen::Map<Matrix>;

inline MatrixView viewOf(const Matrix& matrix)
{
    return {matrix.data(), matrix.rows(), matrix.cols()};
}

/// Sizes of a rank-4 tensor, outermost first: batch, heads, rows, columns.
struct Shape {
    Index batch = 0;
    Index heads = 0;
    Index rows = 0;
    Index cols = 0;

    bool operator==(const Shape&) const = default;
    Index slices() const { return batch * heads; }
    Index sliceSize() const { return rows * cols; }
    Index size() const { return slices() * sliceSize(); }
};

/// A dense [batch, heads, rows, columns] float32 array, row-major, aligned for Eigen. A value type.
class Tensor {
public:
    Tensor() = default;

    /// Not initialised; zeros come from `zeros`.
    explicit Tensor(Shape shape) : m_shape(shape), m_values(shape.size()) {}

    static Tensor zeros(Shape shape) { return filled(shape, 0.0F); }
    static Tensor filled(Shape shape, float value)
    {
        Tensor result(shape);
        result.m_values.setConstant(value);
        return result;
    }

    const Shape& shape() const { return m_shape; }
    Index size() const { return m_values.size(); }
    bool isEmpty() const { return m_values.size() == 0; }
    const float* data() const { return m_values.data(); }
    float* data() { return m_values.data(); }

    /// Where slice (b, h) begins.
    Index offset(Index b, Index h) const { return (b * m_shape.heads + h) * m_shape.sliceSize(); }
    MatrixView slice(Index b, Index h) const
    {
        return {data() + offset(b, h), m_shape.rows, m_shape.cols};
    }
    MutableMatrixView slice(Index b, Index h)
    {
        return {data() + offset(b, h), m_shape.rows, m_shape.cols};
    }
    float at(Index b, Index h, Index row, Index col) const
    {
        return m_values[offset(b, h) + row * m_shape.cols + col];
    }
    float& at(Index b, Index h, Index row, Index col)
    {
        return m_values[offset(b, h) + row * m_shape.cols + col];
    }

private:
    Shape m_shape;
    Eigen::VectorXf m_values;
};

/// A tensor that several snapshots share; equal pointers mean equal values.
using SharedTensor = std::shared_ptr<const Tensor>;

inline SharedTensor share(Tensor tensor)
{
    return std::make_shared<const Tensor>(std::move(tensor));
}

} // namespace keyaxis
