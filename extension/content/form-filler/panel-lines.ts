import { text } from '#extension/i18n/content-text.ts'
import type { Outcome } from '#extension/platforms/sell-form/form.ts'
import type { Highlight } from './highlights.ts'
import type { Line } from './panel.ts'

/**
 * Returns fields as panel lines. Fields for the seller come first, with a copy button if the item has the value. Filled
 * fields share one line.
 */
export function linesOf(outcomes: readonly Outcome[]): Line[] {
  const nameOf = ({ field }: Outcome) => text(`fill.field.${field}`)
  const filled = outcomes.filter(({ result }) => result === 'filled')
  const forSeller = outcomes.filter(({ result }) => result !== 'filled')
  return [
    ...forSeller.map((outcome): Line => {
      const { result, why, value } = outcome
      const label = nameOf(outcome)
      const action = result === 'left' && value ? copy(label, value) : null
      return { sign: result, label, why: why && text(`fill.why.${why}`), action }
    }),
    ...(filled.length > 0 ? [{ sign: 'filled', label: filled.map(nameOf).join(', ') } as const] : []),
  ]
}

/** Returns the highlighted elements, each with the sign of its outcome. */
export function highlightsOf(outcomes: readonly Outcome[]): Highlight[] {
  return outcomes.flatMap(({ result, highlights }) => highlights.map((element) => ({ element, sign: result })))
}

function copy(field: string, value: string): Line['action'] {
  return {
    label: text('fill.copy'),
    name: text('fill.copy_named', { field }),
    act(button) {
      void navigator.clipboard.writeText(value).then(
        () => {
          button.textContent = text('fill.copied')
        },
        () => {
          button.textContent = text('fill.not_copied')
        },
      )
    },
  }
}
