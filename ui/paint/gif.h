#pragma once

#include <QByteArray>
#include <QImage>
#include <memory>

namespace keyaxis {

/// Writes an animated GIF in memory, which repeats without end. Each frame has a palette of its
/// own: up to 256 colours stay as they are; of more, those of most pixels do and each other one
/// becomes the nearest of them. *GUI thread*
class GifWriter {
public:
    /// @param size  of every frame, at most 65,535 each way.
    explicit GifWriter(QSize size);
    ~GifWriter();

    /// Only the rectangle that has changed since the last frame is stored.
    ///
    /// @param milliseconds  how long it is seen; hundredths of a second are kept.
    void add(const QImage& frame, int milliseconds);
    QByteArray finish(); ///< the file; nothing can be added after it

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace keyaxis
