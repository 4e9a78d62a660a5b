import { Mail } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Overview } from '#extension/messaging/overview.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
import { findPlatform } from '#shared/platforms.ts'
import { agoText } from '../common/format.ts'
import { useWebAddress } from '../common/picture-address.ts'
import { Notice } from '../components/notice.tsx'
import { Pending } from '../components/pending.tsx'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { Thumb } from '../components/thumb.tsx'
import { offerUndo, useUndone } from '../components/undo-toast.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { call, useHost } from '../host.ts'
import { mailEffect, mailHeadline } from './mail-text.ts'
import { SilentMailRows } from './sale-mail-rows.tsx'
import { FindSoldOfMail, SaleQuestion } from './sale-question.tsx'
import { text } from './words.ts'

/** Mails about sales: whether they arrive, what each did, and, by `setup`, how they come in. */
export function SaleMailPage(props: {
  overview: Overview
  /** Missing in the extension, whose key cannot set it up. */
  setup: ComponentChildren
  /** The inventory, to find the item of a mail that fits none. */
  rows: readonly InventoryRow[]
  onChanged: () => void
}) {
  const { overview } = props
  const { platforms } = overview
  const [pages, setPages] = useState(1)
  const request = useRequest(String(pages), () => readMails(pages))
  const [hasMails, setHasMails] = useState<boolean | null>(null)
  if (hasMails === null && request.state !== 'loading') {
    setHasMails(request.state === 'ready' && request.value.count > 0)
  }
  const changed = () => {
    request.again()
    props.onChanged()
  }
  useUndone(request.again)
  // The overview is read again when something happened, and every few seconds while it is seen.
  const known = useRef(platforms)
  useEffect(() => {
    if (known.current !== platforms) request.again()
    known.current = platforms
  }, [platforms])
  const setup = props.setup ?? <SetupElsewhere />
  const came = (
    <section class="part" aria-labelledby="came">
      <h2 id="came">{text('came.title')}</h2>
      <Pending of={request} />
      {request.state === 'ready' && (
        <>
          {request.value.count === 0 && (
            <p class="soft" role="status">
              {text('came.none')}
            </p>
          )}
          <ul class="rows">
            {request.value.results.map((mail) => (
              <MailRow key={mail.uid} mail={mail} rows={props.rows} onChanged={changed} />
            ))}
          </ul>
          {request.value.results.length < request.value.count && (
            <button type="button" class="wide" onClick={() => setPages(pages + 1)}>
              {text('show_more')}
            </button>
          )}
        </>
      )}
    </section>
  )
  return (
    <main class="page item cards sale-mail" aria-busy={request.state === 'loading'}>
      <div class="part">
        <h1 tabIndex={-1}>{text('title')}</h1>
        <p class="soft">{text('text')}</p>
      </div>
      <SilentMailRows overview={overview} isHere />
      {hasMails === false && setup}
      {came}
      {hasMails === true && setup}
    </main>
  )
}

async function readMails(pages: number) {
  const results = new Map<string, SaleMailMessage>()
  let count = 0
  for (let page = 1; page <= pages; page++) {
    const answer = await call('listSaleMails', {
      query: { page: String(page), page_size: '50' },
    })
    count = answer.count
    for (const mail of answer.results) results.set(mail.uid, mail)
  }
  return { count, results: [...results.values()] }
}

/** A mail: what it is about, what it did, and what the seller can do. */
function MailRow(props: { mail: SaleMailMessage; rows: readonly InventoryRow[]; onChanged: () => void }) {
  const { mail, onChanged } = props
  const { busy, problem, act } = useAction()
  const { outcome, kind, title, confirmation, items = [] } = mail
  const platform = mail.marketplace ? findPlatform(mail.marketplace) : null
  const addressOf = useWebAddress()
  const page = confirmation?.link ? addressOf(confirmation.link) : null
  const asks = outcome === 'ambiguous' && kind === 'sale'
  const named = asks ? [] : items
  return (
    <li class={asks ? 'mail asks' : 'mail'}>
      {platform ? <PlatformIcon platform={platform.slug} size={24} /> : <Mail size={24} aria-hidden="true" />}
      <div class="grow">
        <p>
          <strong>{mailHeadline(mail)}</strong> <span class="soft">{agoText(Date.parse(mail.received_at))}</span>
        </p>
        {title && named.length === 0 && <p class="clamp">{title}</p>}
        <p class={outcome === 'refused' || asks ? 'warn' : 'soft'}>{mailEffect(mail)}</p>
        {problem && <Notice tone="bad">{problem}</Notice>}
        {confirmation && (
          <p class="links">
            <code class="secret">{confirmation.code}</code>
            {page && (
              <a href={page} target="_blank" rel="noreferrer">
                {text('gmail.open')}
              </a>
            )}
          </p>
        )}
        {named.map((item) => (
          <p key={item.inventory_item_uid} class="mail-item">
            <Thumb src={item.image} />
            <a class="grow cut" href={`#item/${item.inventory_item_uid}`}>
              {item.title}
            </a>
            {outcome === 'held' && item.state === 'reserved' && (
              <button
                type="button"
                class="quiet"
                aria-disabled={busy !== null}
                aria-label={`${text('mail.no_sale')}: ${item.title}`}
                onClick={() =>
                  void act(item.inventory_item_uid, async () => {
                    const freed = await call('takeBackSale', {
                      params: { uid: item.inventory_item_uid },
                      body: {},
                    })
                    offerUndo(text('mail.freed'), freed.change_uid ?? null)
                    onChanged()
                  })
                }
              >
                {text('mail.no_sale')}
              </button>
            )}
          </p>
        ))}
        {asks && <SaleQuestion mail={mail} onAnswered={onChanged} />}
        {(outcome === 'unmatched' || mail.reason === 'form') && kind === 'sale' && (
          <FindSoldOfMail mail={mail} rows={props.rows} onAnswered={onChanged} />
        )}
      </div>
    </li>
  )
}

/** The way to the web app, whose session may set it up. */
function SetupElsewhere() {
  const { server } = useHost()
  return (
    <section class="part" aria-label={text('setup.open')}>
      <p>{text('setup.extension')}</p>
      <p>
        <a class="button" href={`${server}/app/#sale-mail`} target="_blank" rel="noreferrer">
          {text('setup.open')}
        </a>
      </p>
    </section>
  )
}
