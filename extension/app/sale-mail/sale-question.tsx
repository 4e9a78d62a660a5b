import { useState } from 'preact/hooks'
import { alertText } from '#extension/i18n/alert-text.ts'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
import { platformOf } from '#shared/platforms.ts'
import { moneyText } from '../common/format.ts'
import { Dialog } from '../components/dialog.tsx'
import { TextInput } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { Thumb } from '../components/thumb.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { useAction } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import type { FindSold } from '../shell/room.tsx'
import { everything, filterRows } from '../table/filter-rows.ts'
import { text } from './words.ts'

type Candidate = Omit<NonNullable<SaleMailMessage['items']>[number], 'state'>

/** Sends the seller's answer to a mail, and says what it did. */
function useAnswer(mail: SaleMailMessage, onAnswered: () => void) {
  const { busy, problem, act } = useAction()
  const [answered, setAnswered] = useState(false)
  const answer = (item: string | null) =>
    act(item ?? 'none', async () => {
      const { change_uid } = await call('resolveSaleMail', { params: { uid: mail.uid }, body: { item_uid: item } })
      setAnswered(true)
      offerUndo(text(item === null ? 'ask.dropped' : 'ask.held'), change_uid)
      onAnswered()
    })
  return { busy: busy !== null, problem, answered, answer }
}

/** Asks which of several items a mail is about, and says before the press what an answer does. */
export function SaleQuestion({ mail, onAnswered }: { mail: SaleMailMessage; onAnswered: () => void }) {
  const { busy, problem, answered, answer } = useAnswer(mail, onAnswered)
  const items = mail.items ?? []
  if (answered) return null
  return (
    <div class="sale-question">
      <p class="soft">{items.length > 0 ? text('ask.consequence') : text('ask.gone')}</p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <Candidates items={items} busy={busy} onChoose={(uid) => void answer(uid)} />
      <p class="links">
        <button type="button" class="quiet" aria-disabled={busy} onClick={() => void answer(null)}>
          {text('ask.none')}
        </button>
        <span class="soft">{text('ask.none_hint')}</span>
      </p>
    </div>
  )
}

/** Items among which a search for a sold item shows the best. */
const foundShown = 5

/** Lets the seller find the item of a mail that fits none. */
export function FindSoldOfMail(props: {
  mail: SaleMailMessage
  rows: readonly InventoryRow[]
  onAnswered: () => void
}) {
  const { busy, problem, answered, answer } = useAnswer(props.mail, props.onAnswered)
  if (answered) return null
  return (
    <details class="sale-question">
      <summary>{text('find.title')}</summary>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <SearchSold {...props} busy={busy} onChoose={(uid) => void answer(uid)} />
    </details>
  )
}

function SearchSold(props: { rows: readonly InventoryRow[]; busy: boolean; onChoose: (uid: string) => void }) {
  const { rows, busy, onChoose } = props
  const [query, setQuery] = useState('')
  // The listing may be one that Hapax does not know, so items that are live elsewhere come, too.
  const found = query.trim() === '' ? [] : filterRows(rows, { ...everything, query }).slice(0, foundShown)
  return (
    <>
      <TextInput label={text('find.search')} type="search" value={query} onInput={setQuery} />
      <p class="soft" role="status">
        {query.trim() !== '' && text(found.length > 0 ? 'ask.consequence' : 'find.none')}
      </p>
      <Candidates
        items={found.map((row) => ({ ...row, inventory_item_uid: row.uid, live_on: livePlatforms(row) }))}
        busy={busy}
        onChoose={onChoose}
      />
    </>
  )
}

/** Lets the seller find the item that an alert asks for, in a dialog on the screen that shows the alert. */
export function FindSoldDialog(props: FindSold) {
  const { alert, rows, onChoose, onClose } = props
  const { sold } = alert
  return (
    <Dialog title={alertText(alert)} onClose={onClose}>
      <div class="sale-question">
        {sold?.title && <p class="clamp">{sold.title}</p>}
        <SearchSold rows={rows} busy={false} onChoose={onChoose} />
      </div>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {text('close')}
        </button>
      </div>
    </Dialog>
  )
}

/** Items with what tells them apart, each with a button. */
function Candidates(props: { items: readonly Candidate[]; busy: boolean; onChoose: (uid: string) => void }) {
  const { items, busy, onChoose } = props
  return (
    <ul class="rows">
      {items.map(({ inventory_item_uid: uid, title, image, price_minor, currency, live_on }) => {
        const names = new Intl.ListFormat('en').format(live_on.map((slug) => platformOf(slug).name))
        return (
          <li key={uid}>
            <Thumb src={image} size={56} />
            <div class="grow">
              <p class="clamp">
                <a href={`#item/${uid}`}>
                  <strong>{title}</strong>
                </a>
              </p>
              <p>{moneyText(price_minor, currency)}</p>
              <p class="soft">
                {live_on.length > 0 ? text('ask.live_on', { platforms: names }) : text('ask.live_nowhere')}
              </p>
            </div>
            <button
              type="button"
              aria-disabled={busy}
              aria-label={`${text('ask.choose')}: ${title}`}
              onClick={() => !busy && onChoose(uid)}
            >
              {text('ask.choose')}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
