import { createText } from '#extension/i18n/create-text.ts'
import { fieldMessages } from '#extension/i18n/en/fields.ts'
import { formFillerMessages } from '#extension/i18n/en/form-filler.ts'
import type { Outcome } from '#extension/platforms/sell-form/form.ts'
import type { Highlight } from './highlights.ts'
import type { Line } from './panel.ts'

const { text } = createText({ ...fieldMessages, ...formFillerMessages })

/** The fields of a form as the panel shows them. */
export interface FilledFields {
  lines: readonly Line[]
  /** The elements of the page, each with the sign of its outcome. */
  highlights: readonly Highlight[]
  /** Fields of the form, and how many of them are filled. */
  total: number
  filled: number
}

/** Returns what the panel shows of the fields so far. */
export function filledFieldsOf(outcomes: readonly Outcome[]): FilledFields {
  return {
    lines: linesOf(outcomes),
    highlights: outcomes.flatMap(({ result, highlights }) => highlights.map((element) => ({ element, sign: result }))),
    total: outcomes.length,
    filled: outcomes.filter(({ result }) => result !== 'left').length,
  }
}

/**
 * Returns fields as panel lines. Fields for the seller come first, with a copy button if the item has the value. Filled
 * fields share one line.
 */
function linesOf(outcomes: readonly Outcome[]): Line[] {
  const nameOf = ({ field }: Outcome) => text(`field.${field}`)
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
