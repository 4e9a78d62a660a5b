import { text } from '../texts/text.ts'
import type { Outcome } from './form.ts'
import type { Mark } from './marks.ts'
import type { Line } from './panel.ts'

/** Fields as lines of the panel, in the form's order; what was left can be copied where the item says it. */
export function linesOf(outcomes: readonly Outcome[]): Line[] {
  return outcomes.map(({ field, result, why, value }) => {
    const label = text(`fill.field.${field}`)
    return {
      sign: result,
      label,
      why: why && text(`fill.why.${why}`),
      action: result === 'left' && value ? copy(label, value) : null,
    }
  })
}

export function marksOf(outcomes: readonly Outcome[]): Mark[] {
  return outcomes.flatMap(({ result, marks }) => marks.map((element) => ({ element, sign: result })))
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
