import { useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { send } from '#extension/messaging/send.ts'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { amountText, readAmount } from '#extension/ui/amount.ts'
import { Dialog } from '#extension/ui/components/dialog.tsx'
import { offerUndo } from '#extension/ui/components/undo-toast.tsx'
import { EachProgress } from './each-progress.tsx'
import { SelectedItems } from './selected-items.tsx'
import { useEach } from './use-each.ts'

/** From this many items on, the seller types their number: nothing undoes them all at once. */
const confirmedFrom = 20

/** Marks items sold one by one until stopped, since there is no bulk undo. Shows which listings will end. */
export function SoldDialog(props: { rows: InventoryRow[]; onClose: () => void }) {
  // Fix the rows at opening: marked items would otherwise leave the list.
  const [rows] = useState(() => props.rows.filter((row) => row.state !== 'sold'))
  const live = rows.filter((row) => livePlatforms(row).length > 0).length
  const each = useEach(rows)
  const only = rows.length === 1 ? rows[0]! : null
  const [price, setPrice] = useState(only ? amountText(only.price_minor, only.currency) : '')
  const [place, setPlace] = useState('')
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const isSure = rows.length < confirmedFrom || Number(typed) === rows.length

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const price_minor = only ? readAmount(price, only.currency) : null
    setWrong(only !== null && price_minor === null)
    if (!isSure || (only && price_minor === null)) return
    void go({
      ...(price_minor === null ? {} : { price_minor }),
      ...(place.trim() === '' ? {} : { note: place.trim() }),
    })
  }
  const go = (how: { price_minor?: number; note?: string }) =>
    each.go(async ({ uid }) => {
      const { change_uid } = await send('inventory.markSold', { uid, ...how })
      if (rows.length === 1) offerUndo(text('sold.done', { n: 1 }), change_uid)
    })
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
            {live > 0 && (rows.length === 1 ? text('ends.one') : text('ends.some', { n: live }))}
          </p>
          <SelectedItems rows={rows} />
          {only && (
            <div class="field">
              <label class="label" for="sold-price">
                {text('sold.price', { currency: only.currency })}
              </label>
              <input
                id="sold-price"
                inputMode="decimal"
                autocomplete="off"
                value={price}
                aria-invalid={isWrong || undefined}
                aria-describedby={isWrong ? 'sold-wrong' : undefined}
                onInput={(event) => setPrice(event.currentTarget.value)}
              />
              {isWrong && (
                <p class="wrong" id="sold-wrong" role="alert">
                  {text('sold.wrong_price', { example: amountText(4_250, only.currency) })}
                </p>
              )}
            </div>
          )}
          {only && (
            <label>
              {text('sold.place')}
              <input maxLength={200} value={place} onInput={(event) => setPlace(event.currentTarget.value)} />
            </label>
          )}
          {rows.length >= confirmedFrom && (
            <label>
              {text('sold.confirm', { n: rows.length })}
              <input
                inputMode="numeric"
                autocomplete="off"
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value.replace(/\D/g, ''))}
              />
            </label>
          )}
          <div class="buttons">
            <button type="button" onClick={props.onClose}>
              {text('bulk.cancel')}
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
