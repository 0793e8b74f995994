#pragma once

#include "core/inputs.h"
#include "core/result.h"
#include "core/settings.h"

#include <array>
#include <memory>
#include <stop_token>

namespace keyaxis {

/// Every stage of every (batch, head). Stages that were not asked for are empty.
struct Attention {
    Tensor scores;  ///< [B, H, Tq, Tk]: q · k
    Tensor logits;  ///< [B, H, Tq, Tk]: scaled, biased, divided by τ (undivided at τ = 0), masked
    Tensor weights; ///< [B, H, Tq, Tk]
    Tensor output;  ///< [B, H, Tq, dv]; empty without V
};

/// Which stages `attend` keeps; weights are always there.
struct Keep {
    bool scores = false;
    bool logits = false;
    bool output = true;
};

/// Attention for every batch item and head.
///
/// @param inputs  as `validated` returned them.
/// @param stop    polled once per block of rows.
/// @errors        BadValue where `settings` are out of their domain; Cancelled on stop.
/// @return        Given weights come back as they are, whatever `settings` say, with logits of 0.
/// @cost          O(B H Tq Tk (dk + dv)) time; tiles that the causal mask hides are skipped.
///                Same bits as `attendSlice` and for any thread count.
/// @source        mathematics.md, "Stages".
Result<Attention> attend(const Inputs& inputs, const ScoreSettings& settings, Keep keep = {},
                         std::stop_token stop = {});

/// One (batch, head) on its way to the softmax; the same whatever the axis. Where weights are
/// given all are empty but the logits, which are 0: nothing is known to be masked. *immutable*
struct ScoreStages {
    Matrix scores;   ///< [Tq, Tk]: q · k
    Matrix scaled;   ///< [Tq, Tk]
    Matrix biased;   ///< [Tq, Tk]
    Matrix tempered; ///< [Tq, Tk]
    Matrix logits;   ///< [Tq, Tk]; -inf = masked
};

/// One (batch, head), every stage.
struct SliceStages {
    std::shared_ptr<const ScoreStages> before; ///< never null; shared by the four axes
    Matrix weights;                            ///< [Tq, Tk]
    Matrix output;                             ///< [Tq, dv]; empty without V

    /// The matrix of `stage`.
    const Matrix& of(Stage stage) const;
};

/// One (batch, head) at the cost of what shares its denominators: itself for the key and query
/// axes, its batch column for the batch axis, its head row for the head axis.
Result<SliceStages> attendSlice(const Inputs& inputs, const ScoreSettings& settings, Index b,
                                Index h, std::stop_token stop = {});

/// Attention whose stages are kept between calls: a new temperature does not redo QKᵀ, a new V
/// redoes only the last product, an edited row of Q only the slices it reaches. Worker thread.
class KeptAttention {
public:
    KeptAttention();
    ~KeptAttention();
    KeptAttention(KeptAttention&&) noexcept;
    KeptAttention& operator=(KeptAttention&&) noexcept;

    /// What `attendSlice` returns, from kept stages where they still hold.
    Result<std::shared_ptr<const SliceStages>> slice(const Inputs& inputs,
                                                     const ScoreSettings& settings, Index b,
                                                     Index h, std::stop_token stop = {});

    /// How often each kind of work was done since the beginning; for tests and the curious.
    struct Work {
        Index products = 0;  ///< slices of QKᵀ
        Index softmaxes = 0; ///< slices (b, h) that went through a softmax
        Index outputs = 0;   ///< slices of W V
    };
    Work work() const;

private:
    struct Store;
    std::unique_ptr<Store> m_store;
};

} // namespace keyaxis
