import { useState } from 'preact/hooks'
import type { Sale } from '#shared/contract/selling/sales.ts'
import { amountText, readAmount } from '../common/amount.ts'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { text } from './words.ts'

const fields = ['cost', 'fee', 'shipping'] as const
type Field = (typeof fields)[number]

/** Enters what a sale cost. An empty field means unknown, or the estimate for the fee. */
export function CostsDialog(props: { sale: Sale; onClose: () => void; onSaved: (sale: Sale) => void }) {
  const { sale } = props
  const { currency } = sale
  const entered = (minor: number | null) => (minor === null ? '' : amountText(minor, currency))
  const [values, setValues] = useState<Record<Field, string>>({
    fee: sale.fee_source === 'entered' ? entered(sale.fee_minor) : '',
    shipping: entered(sale.shipping_minor),
    cost: entered(sale.cost_minor),
  })
  const [wrong, setWrong] = useState<Field | null>(null)
  const { busy, problem, act } = useAction()
  const minorOf = (value: string) => readAmount(value, currency)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const bad = fields.find((field) => values[field].trim() !== '' && minorOf(values[field]) === null) ?? null
    setWrong(bad)
    if (bad) return document.getElementById(`cost-${bad}`)?.focus()
    const minor = (field: Field) => (values[field].trim() === '' ? null : minorOf(values[field]))
    void act('save', async () => {
      const saved = await call('updateSaleCosts', {
        params: { id: sale.id },
        body: { fee_minor: minor('fee'), shipping_minor: minor('shipping'), cost_minor: minor('cost') },
      })
      props.onSaved(saved)
    })
  }
  return (
    <Dialog title={text('sales.edit_title')} onClose={props.onClose}>
      <form onSubmit={save}>
        {sale.title && <p class="cut">{sale.title}</p>}
        {problem && <Notice tone="bad">{problem}</Notice>}
        {fields.map((field) => (
          <div key={field} class="field">
            <label class="label" for={`cost-${field}`}>
              {text(`sales.edit_${field}`)} ({currency})
            </label>
            <input
              id={`cost-${field}`}
              inputMode="decimal"
              autocomplete="off"
              value={values[field]}
              aria-invalid={wrong === field || undefined}
              aria-describedby={wrong === field ? 'cost-wrong' : undefined}
              onInput={(event) => setValues({ ...values, [field]: event.currentTarget.value })}
            />
            {wrong === field && (
              <p class="wrong" id="cost-wrong" role="alert">
                {text('form.problem.amount', { example: amountText(1_250, currency) })}
              </p>
            )}
          </div>
        ))}
        <p class="soft">{text('sales.edit_text')}</p>
        <DialogButtons onCancel={props.onClose} action={text('save')} isDisabled={busy !== null} />
      </form>
    </Dialog>
  )
}
