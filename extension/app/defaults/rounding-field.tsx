import type { Rounding } from '#shared/price-schemas.ts'
import { decimalSignOf } from '../common/amount.ts'
import { Select } from '../components/fields.tsx'
import { text } from './words.ts'

const sign = decimalSignOf()

/** Selects how a price is rounded. `label`: names it for screen readers where several stand on a page. */
export function RoundingField(props: { value: Rounding; label?: string; onChange: (rounding: Rounding) => void }) {
  return (
    <Select
      label={text('price.rounding')}
      aria-label={props.label}
      value={props.value}
      options={[
        ['none', text('price.rounding.none')],
        ['whole', text('price.rounding.whole')],
        ['99', text('price.rounding.99', { sign })],
        ['95', text('price.rounding.95', { sign })],
      ]}
      onChange={props.onChange}
    />
  )
}
