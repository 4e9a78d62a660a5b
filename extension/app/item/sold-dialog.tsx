import { useState } from 'preact/hooks'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { EachProgress } from '../bulk/each-progress.tsx'
import { SelectedItems } from '../bulk/selected-items.tsx'
import { useEach } from '../bulk/use-each.ts'
import { amountText, readAmount } from '../common/amount.ts'
import { Dialog } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { send } from '../host.ts'
import { text } from './words.ts'

/** From this many items on, the seller types their number: nothing undoes them all at once. */
const confirmedFrom = 20

/**
 * Marks items sold one by one until stopped, since there is no bulk undo. Asks for the price of each unless there are many.
 * Shows which listings will end.
 */
export function SoldDialog(props: { rows: InventoryRow[]; onClose: () => void }) {
  // Fix the rows at opening: marked items would otherwise leave the list.
  const [rows] = useState(() => props.rows.filter((row) => row.state !== 'sold'))
  const live = rows.filter((row) => livePlatforms(row).length > 0).length
  const each = useEach(rows)
  const isOne = rows.length === 1
  const priced = rows.length < confirmedFrom ? rows : []
  const [prices, setPrices] = useState<Record<string, string>>(() =>
    Object.fromEntries(priced.map((row) => [row.uid, amountText(row.price_minor, row.currency)])),
  )
  const [place, setPlace] = useState('')
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const isSure = rows.length < confirmedFrom || Number(typed) === rows.length

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const unread = priced.find((row) => readAmount(prices[row.uid]!, row.currency) === null)
    setWrong(unread?.uid ?? null)
    if (!isSure || unread) return
    const note = place.trim() === '' ? {} : { note: place.trim() }
    void each.go(async ({ uid, currency }) => {
      const price_minor = priced.length > 0 ? readAmount(prices[uid]!, currency) : null
      const sold = { uid, ...(price_minor === null ? {} : { price_minor }), ...note }
      const { change_uid } = await send('inventory.markSold', sold)
      if (!isOne) return
      offerUndo(text('sold.done', { n: 1 }), change_uid)
      props.onClose()
    })
  }
  const isRunning = each.phase === 'working' || each.phase === 'stopping'

  return (
    <Dialog
      title={text('sold.title', { n: rows.length })}
      onClose={props.onClose}
      onEscape={isRunning ? each.stop : undefined}
    >
      {each.phase === 'asked' ? (
        <form onSubmit={submit}>
          <p>
            {rows.length === 0 ? text('sold.none') : text('sold.text')}{' '}
            {live > 0 && (isOne ? text('ends.one') : text('ends.some', { n: live }))}
          </p>
          {(isOne || priced.length === 0) && <SelectedItems rows={rows} />}
          {priced.map(({ uid, title, currency, price_minor }) => (
            <div key={uid} class="field">
              <label class="label" for={`sold-${uid}`}>
                {isOne ? text('sold.price', { currency }) : text('sold.price_of', { title, currency })}
              </label>
              <input
                id={`sold-${uid}`}
                inputMode="decimal"
                autocomplete="off"
                value={prices[uid]}
                aria-invalid={wrong === uid || undefined}
                aria-describedby={wrong === uid ? 'sold-wrong' : undefined}
                onInput={(event) => setPrices({ ...prices, [uid]: event.currentTarget.value })}
              />
              {wrong === uid && (
                <p class="wrong" id="sold-wrong" role="alert">
                  {text('sold.wrong_price', { example: amountText(price_minor || 4_250, currency) })}
                </p>
              )}
            </div>
          ))}
          {rows.length > 0 && <TextInput label={text('sold.place')} maxLength={200} value={place} onInput={setPlace} />}
          {rows.length >= confirmedFrom && (
            <TextInput
              label={text('sold.confirm', { n: rows.length })}
              inputMode="numeric"
              autocomplete="off"
              value={typed}
              onInput={(value) => setTyped(value.replace(/\D/g, ''))}
            />
          )}
          <div class="buttons">
            <button type="button" onClick={props.onClose}>
              {text('cancel')}
            </button>
            {rows.length > 0 && (
              <button type="submit" class="main" aria-disabled={!isSure}>
                {text('sold.go', { n: rows.length })}
              </button>
            )}
          </div>
        </form>
      ) : (
        <EachProgress each={each} doneText={(n) => text('sold.done', { n })} onClose={props.onClose} />
      )}
    </Dialog>
  )
}
