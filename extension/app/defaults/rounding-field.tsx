import { text } from '#extension/i18n/text.ts'
import type { Rounding } from '#shared/price-schemas.ts'
import { decimalSignOf } from '../common/amount.ts'

const sign = decimalSignOf()

/** Selects how a price is rounded. `label`: names it for screen readers where several stand on a page. */
export function RoundingField(props: { value: Rounding; label?: string; onChange: (rounding: Rounding) => void }) {
  return (
    <label>
      {text('price.rounding')}
      <select
        value={props.value}
        aria-label={props.label}
        onChange={(event) => props.onChange(event.currentTarget.value as Rounding)}
      >
        <option value="none">{text('price.rounding.none')}</option>
        <option value="whole">{text('price.rounding.whole')}</option>
        <option value="99">{text('price.rounding.99', { sign })}</option>
        <option value="95">{text('price.rounding.95', { sign })}</option>
      </select>
    </label>
  )
}
