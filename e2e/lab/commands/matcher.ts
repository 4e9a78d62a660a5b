import { evaluate } from '../matching/evaluate.ts'
import { labelledSet } from '../matching/labelled-set.ts'

/** Reports how well the matcher recognizes the same items, on a generated labelled set: `npm run lab -- matcher [seed]`. */
const seed = Number(process.argv[2] ?? 1)
const evaluation = evaluate(labelledSet({ seed, pairs: 4_000 }))
const percent = (share: number) => `${(share * 100).toFixed(2)} %`
const lines = [
  `${evaluation.pairs} labelled pairs (seed ${seed})`,
  ...evaluation.kinds.map(
    ({ kind, same, pairs, likeness }) =>
      `  ${same ? 'same     ' : 'different'}  ${kind.padEnd(36)} ${String(pairs).padStart(5)}   surely ${String(likeness.surely).padStart(4)}   possibly ${String(likeness.possibly).padStart(4)}   different ${String(likeness.different).padStart(4)}`,
  ),
  `surely the same: precision ${percent(evaluation.surelyPrecision)} (wanted: 99.9 %)`,
  `surely or possibly: recall ${percent(evaluation.recall)} (wanted: 90 %)`,
  `different items asked about: ${percent(evaluation.falseQuestions)}`,
]
process.stdout.write(`${lines.join('\n')}\n`)
process.exit(evaluation.surelyPrecision >= 0.999 && evaluation.recall >= 0.9 ? 0 : 1)
