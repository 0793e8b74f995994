#include "ui/document/results.h"

#include "core/proof/precision.h"

#include <algorithm>
#include <chrono>

namespace keyaxis {

namespace {

/// A search for a hull takes 0.1 ms at 16 features, 4 ms at 64, 20 ms at 128: about a second of it.
Index mostSearches(Index dv)
{
    return std::max<Index>(50, 800000 / std::max<Index>(1, dv * dv));
}

Result<std::shared_ptr<const Movements>> movementsOf(const Results& results,
                                                     const std::stop_token& stop)
{
    auto moves = std::make_shared<Movements>();
    moves->moved = isSelfAttention(results.inputs) ? MovedToken::Whole : MovedToken::Key;
    const auto keep = [](Influence& into, Result<Influence> influence) -> Result<void> {
        if (!influence)
            return tl::unexpected(influence.error());
        into = std::move(*influence);
        return {};
    };
    const auto coupled = [&](Influence& into, Coupled what) {
        return keep(into, coupling(results.inputs, results.settings, what, results.batch,
                                   results.head, stop));
    };
    const auto lightCone = [&]() -> Result<void> {
        if (results.inputs.scores)
            return {};
        return keep(moves->tokens, tokenInfluence(results.inputs, results.settings, moves->moved,
                                                  results.batch, results.head, stop));
    };
    const Result<void> done =
        lightCone()
            .and_then([&] { return coupled(moves->queries, Coupled::Queries); })
            .and_then([&] { return coupled(moves->examples, Coupled::Examples); })
            .and_then([&] { return coupled(moves->heads, Coupled::Heads); });
    if (!done)
        return tl::unexpected(done.error());
    return moves;
}

Result<AppendedToken> appendedTo(const Results& results, const std::stop_token& stop)
{
    const auto longer = attendSlice(withTokenAppended(results.inputs), results.settings,
                                    results.batch, results.head, stop);
    if (!longer)
        return tl::unexpected(longer.error());
    const Matrix& before = results.axes[static_cast<std::size_t>(results.settings.axis)]->output;
    AppendedToken appended;
    appended.changes = compareOutputs(viewOf(before), viewOf(longer->output));
    appended.sentence = appendSentence(appended.changes, results.inputs, results.settings);
    return appended;
}

Result<std::shared_ptr<const std::vector<NormalisedMap>>>
normalisedMaps(const Results& results, const std::stop_token& stop)
{
    using Kind = Normaliser::Kind;
    const AxisSet headsAndKeys((1U << AxisSet::Head) | (1U << AxisSet::Key));
    const std::array others{Normaliser{Kind::Renormalised}, Normaliser{Kind::Joint, headsAndKeys},
                            Normaliser{Kind::Sink}, Normaliser{Kind::Sigmoid}};
    auto maps = std::make_shared<std::vector<NormalisedMap>>();
    for (const Normaliser& normaliser : others) {
        auto slice = normalisedSlice(results.inputs, results.settings, normaliser, results.batch,
                                     results.head, stop);
        if (!slice)
            return tl::unexpected(slice.error());
        maps->push_back({normaliser, std::move(*slice)});
    }
    return maps;
}

} // namespace

Result<Results> lookAt(KeptAttention& kept, const Inputs& inputs, const ScoreSettings& settings,
                       Index b, Index h, const std::stop_token& stop)
{
    const auto begin = std::chrono::steady_clock::now();
    Results results;
    results.inputs = inputs;
    results.settings = settings;
    results.batch = b;
    results.head = h;
    for (const Axis axis : kAllAxes) {
        ScoreSettings own = settings;
        own.axis = axis;
        auto stages = kept.slice(inputs, own, b, h, stop);
        if (!stages)
            return tl::unexpected(stages.error());
        const auto n = static_cast<std::size_t>(axis);
        results.certificates[n] =
            certify(viewOf((*stages)->weights), viewOf((*stages)->before->logits));
        results.digests[n] = std::make_shared<const MapDigest>(digestOf(**stages, Stage::Weights));
        results.axes[n] = std::move(*stages);
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    results.milliseconds = took.count();
    return results;
}

Result<Results> withAllRows(Results results, const KeptMaps& keeps, const std::stop_token& stop)
{
    const Inputs& inputs = results.inputs;
    const SliceStages& looked = *results.axes[static_cast<std::size_t>(results.settings.axis)];
    for (std::size_t n = 0; n < results.stageDigests.size(); ++n)
        results.stageDigests[n] =
            std::make_shared<const MapDigest>(digestOf(looked, static_cast<Stage>(n)));
    // On the key axis no logits are kept unless something is wrong: they double the memory. The
    // other axes need them on the way in any case.
    bool keepsLogits = keeps.maps || results.settings.axis != Axis::Key;
    const auto compute = [&] {
        return attend(inputs, results.settings,
                      {.logits = keepsLogits, .output = inputs.v != nullptr}, stop);
    };
    auto all = compute();
    if (!all)
        return tl::unexpected(all.error());
    if (!keepsLogits) {
        results.allRows = certify(all->weights);
        if (!results.allRows->isValid()) {
            keepsLogits = true;
            all = compute();
            if (!all)
                return tl::unexpected(all.error());
        }
    }
    if (keepsLogits)
        results.allRows = certify(all->weights, all->logits);
    if (inputs.weights) {
        const Tensor& w = *inputs.weights;
        const std::vector<double> values(w.data(), w.data() + w.size());
        results.findings =
            investigate(values, w.shape(), narrowestPrecision(values).tolerance, "bhqk");
    }
    if (inputs.v) {
        auto hulls =
            hullCount(inputs, *all, *results.allRows, mostSearches(sizesOf(inputs).dv), stop);
        if (!hulls)
            return tl::unexpected(hulls.error());
        results.hulls = std::move(*hulls);
    }
    if (keeps.maps) {
        all->output = Tensor();
        if (keeps.heads) {
            auto heads = headFactsOf(*all, stop);
            if (!heads)
                return tl::unexpected(heads.error());
            results.headFacts = std::make_shared<const HeadFacts>(std::move(*heads));
        }
        results.everyMapFacts = std::make_shared<const std::vector<MapFacts>>(factsOf(*all));
        results.everyMap = std::make_shared<const Attention>(std::move(*all));
    }
    return results;
}

Result<Results> withAllLayers(Results results, const Layers& layers, const std::stop_token& stop)
{
    auto maps =
        mapsOfLayers(layers, results.inputs, results.settings, results.batch, results.head, stop);
    if (!maps)
        return tl::unexpected(maps.error());
    results.everyLayer = std::move(*maps);
    return results;
}

Result<Results> withProofs(Results results, const std::stop_token& stop)
{
    results.isComplete = true;
    const Sizes sizes = sizesOf(results.inputs);
    if (sizes.Tq == 0)
        return results;
    constexpr Index kMostCells = 1 << 22; // of the joint softmax, all of whose logits are needed
    const Inputs& inputs = results.inputs;
    if (!inputs.weights && results.settings.temperature > 0 &&
        sizes.weights().size() <= kMostCells) {
        auto maps = normalisedMaps(results, stop);
        if (!maps)
            return tl::unexpected(maps.error());
        results.normalised = std::move(*maps);
    }
    if (!inputs.v || inputs.weights) // nothing that could be nudged stands behind given weights
        return results;
    auto moves = movementsOf(results, stop);
    if (!moves)
        return tl::unexpected(moves.error());
    results.moves = std::move(*moves);
    if (results.moves->moved == MovedToken::Whole && !inputs.scores) {
        auto appended = appendedTo(results, stop);
        if (!appended)
            return tl::unexpected(appended.error());
        results.appended = std::move(*appended);
    }
    return results;
}

} // namespace keyaxis
