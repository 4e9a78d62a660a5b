import { compare, type Likeness } from '#server/catalog/imports/matching/compare.ts'
import { featuresOf } from '#server/catalog/imports/matching/features.ts'
import type { LabelledPair } from './labelled-set.ts'

interface Evaluation {
  pairs: number
  /** Share of the pairs classified as `surely` that are the same. */
  surelyPrecision: number
  /** Share of the same pairs that are classified as `surely` or `possibly`. */
  recall: number
  /** Share of the different pairs that the seller is asked about. */
  falseQuestions: number
  kinds: { kind: string; same: boolean; pairs: number; likeness: Record<Likeness, number> }[]
}

/** Evaluates the matcher on a labelled set. */
export function evaluate(set: readonly LabelledPair[]): Evaluation {
  const kinds = new Map<string, Evaluation['kinds'][number]>()
  const surely = { right: 0, wrong: 0 }
  const found = { same: 0, ofSame: 0, different: 0, ofDifferent: 0 }
  for (const { kind, same, one, other } of set) {
    const { likeness } = compare(featuresOf(one), featuresOf(other))
    const counted = kinds.get(kind) ?? { kind, same, pairs: 0, likeness: { surely: 0, possibly: 0, different: 0 } }
    kinds.set(kind, counted)
    counted.pairs++
    counted.likeness[likeness]++
    if (likeness === 'surely') surely[same ? 'right' : 'wrong']++
    const noticed = likeness === 'different' ? 0 : 1
    if (same) {
      found.same += noticed
      found.ofSame++
    } else {
      found.different += noticed
      found.ofDifferent++
    }
  }
  return {
    pairs: set.length,
    surelyPrecision: surely.right / Math.max(1, surely.right + surely.wrong),
    recall: found.same / Math.max(1, found.ofSame),
    falseQuestions: found.different / Math.max(1, found.ofDifferent),
    kinds: [...kinds.values()],
  }
}
