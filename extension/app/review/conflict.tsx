import { useState } from 'preact/hooks'
import type { Comparison } from '#extension/messaging/protocol.ts'
import type { Resolution } from '#shared/contract/catalog/imports.ts'
import { findPlatform, type PlatformSlug, platforms } from '#shared/platforms.ts'
import { withLocalMoney } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { usePicture } from '../common/picture-address.ts'
import { TextInput } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { Pending } from '../components/pending.tsx'
import { SubHead } from '../components/sub-head.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { call, send } from '../host.ts'
import type { Place } from '../popup/place.ts'
import { compareRows } from './compare-rows.ts'
import { type ResolutionOption, resolutionOptions } from './resolution-options.ts'
import { suggestSku } from './suggest-sku.ts'
import { text, textIfAny } from './words.ts'

/** A conflict side by side, with its differences and resolution options. */
export function Conflict(props: {
  job: string
  item: string
  platform: string
  go: (place: Place) => void
  /** Called after a decision instead of going back. */
  onResolved?: (resolution: Resolution, change: string | null) => void
}) {
  const { job, item, platform, go } = props
  const request = useRequest(item, () => send('popup.compare', { job, item }))
  const mine = request.state === 'ready' ? request.value.mine : null
  const { busy, late, problem, act } = useAction()
  const back = () => go({ screen: 'issues', job, platform })
  const resolve = (resolution: Resolution, sku?: string) =>
    act(resolution, async () => {
      // A photo that is compared meanwhile may find another item.
      const shown = resolution === 'link_existing' || resolution === 'overwrite' ? mine?.uid : undefined
      const { change_uid } = await call('resolveImportItem', {
        params: { uid: job, item_uid: item },
        body: { resolution, ...(sku ? { sku } : {}), ...(shown ? { inventory_item_uid: shown } : {}) },
      })
      if (props.onResolved) props.onResolved(resolution, change_uid ?? null)
      else back()
    })
  const type = request.state === 'ready' ? request.value.item.conflict_type : null

  return (
    <>
      <SubHead title={(type && textIfAny(`conflict.${type}`)) ?? text('conflict.title')} onBack={back} />
      <main class="body" aria-busy={request.state === 'loading'}>
        <Pending of={request} />
        {request.state === 'ready' && <SideBySide comparison={request.value} platform={platform} />}
      </main>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
      {request.state === 'ready' && (
        <Choices
          comparison={request.value}
          platform={platformName(platform)}
          slug={platformSlug(platform)}
          busy={busy}
          onResolve={resolve}
        />
      )}
    </>
  )
}

function SideBySide({ comparison, platform }: { comparison: Comparison; platform: string }) {
  const { item, listing, since, mine, url } = comparison
  const name = platformName(platform)
  return (
    <div class="part">
      {item.conflict_details && <p class="why">{withLocalMoney(withoutId(item.conflict_details, mine))}</p>}
      {(since === 'sold' || since === 'removed') && (
        <p class="why">
          <strong>{text(`conflict.since.${since}`, { platform: name })}</strong>
        </p>
      )}
      {item.conflict_type !== 'quantity_above_one' && listing?.quantity !== undefined && listing.quantity > 1 && (
        <p class="soft">{text('conflict.quantity', { n: listing.quantity })}</p>
      )}
      <table class="compare">
        <colgroup>
          <col class="names" />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr>
            <td />
            <th scope="col">
              {url ? (
                <a href={url} target="_blank" rel="noreferrer">
                  {text('conflict.theirs', { platform: name })}
                </a>
              ) : (
                text('conflict.theirs', { platform: name })
              )}
            </th>
            <th scope="col">{text('conflict.mine')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{text('conflict.photo')}</th>
            <td>
              <Picture src={listing?.images[0]} />
            </td>
            <td>
              <Picture src={mine?.record.images[0]} />
            </td>
          </tr>
          {compareRows(comparison, name).map((row) => (
            <tr key={row.name} class={row.differs ? 'differs' : ''}>
              <th scope="row">
                {text(`field.${row.name}`)}
                {row.differs && <span class="hidden"> ({text('conflict.differs')})</span>}
              </th>
              <td>
                <span>{row.theirs ?? text('conflict.none')}</span>
              </td>
              <td>
                <span>{row.mine ?? text('conflict.none')}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {mine === null && <p class="soft">{text(isAboutAnother(item) ? 'conflict.gone' : 'conflict.none_yet')}</p>}
    </div>
  )
}

/** Removes the item's id from the server's message, since the picture identifies it. */
function withoutId(details: string, mine: Comparison['mine']): string {
  return mine ? details.replaceAll(` (${mine.uid})`, '') : details
}

/** Returns true if the conflict named an item, whose absence needs an explanation. */
function isAboutAnother(item: Comparison['item']): boolean {
  return item.conflict_type !== 'quantity_above_one' && item.conflict_type !== 'missing_sku'
}

/** Returns a platform's name. Callers pass a slug or a name. */
function platformName(platform: string): string {
  return findPlatform(platform)?.name ?? platform
}

function platformSlug(platform: string): PlatformSlug | null {
  return platforms.find(({ slug, name }) => slug === platform || name === platform)?.slug ?? null
}

function Picture({ src }: { src: string | undefined }) {
  const picture = usePicture(src)
  return picture ? (
    <img class="picture" {...picture} alt="" />
  ) : (
    <div class="picture">{text('conflict.no_picture')}</div>
  )
}

function Choices(props: {
  comparison: Comparison
  platform: string
  slug: PlatformSlug | null
  busy: string | null
  onResolve: (resolution: Resolution, sku?: string) => void
}) {
  const { mine } = props.comparison
  const { main, other, canSeparate, isTwin = false } = resolutionOptions(props.comparison, props.slug)
  // Joining two live listings of one platform is asked about first.
  const [doubted, setDoubted] = useState<ResolutionOption | null>(null)
  const { platform } = props
  const suggested = suggestSku(props.comparison)
  const [sku, setSku] = useState(suggested.sku)
  const off = props.busy !== null
  return (
    <section class="choices" aria-label={text('conflict.title')}>
      {isTwin && <p class="why">{text('conflict.already_live', { platform })}</p>}
      {main && !isTwin && (
        <button type="button" class="main wide" aria-disabled={off} onClick={() => props.onResolve(main.resolution)}>
          {text(props.busy === main.resolution ? 'working' : main.label, { platform })}
        </button>
      )}
      {main?.label === 'conflict.sold' && <p class="soft">{text('conflict.sold_note', { platform })}</p>}
      {canSeparate && (
        <form class="sku" onSubmit={handleSubmit(() => props.onResolve('create_new', sku.trim() || undefined))}>
          <TextInput
            label={text(mine ? 'conflict.new' : 'conflict.new_alone')}
            value={sku}
            required={suggested.needed}
            maxLength={500}
            onInput={setSku}
          />
          <button type="submit" class={isTwin ? 'main' : undefined} aria-disabled={off}>
            {text(mine ? 'conflict.new_submit' : 'conflict.new_alone_submit')}
          </button>
        </form>
      )}
      {doubted && (
        <div role="alert">
          <p>{text('conflict.two_live', { platform })}</p>
          <div class="row">
            <button type="button" aria-disabled={off} onClick={() => props.onResolve(doubted.resolution)}>
              {text(doubted.resolution === 'overwrite' ? 'conflict.overwrite_anyway' : 'conflict.link_anyway')}
            </button>
            <button type="button" onClick={() => setDoubted(null)}>
              {text('cancel')}
            </button>
          </div>
        </div>
      )}
      <div class="row" hidden={doubted !== null}>
        {(isTwin ? [main, other] : [other]).map(
          (option) =>
            option && (
              <button
                key={option.resolution}
                type="button"
                aria-disabled={off}
                onClick={() => (isTwin ? setDoubted(option) : props.onResolve(option.resolution))}
              >
                {text(option.label, { platform })}
              </button>
            ),
        )}
        <button type="button" aria-disabled={off} onClick={() => props.onResolve('skip')}>
          {text('conflict.skip')}
        </button>
      </div>
      <p class="soft">{text('conflict.skip_note')}</p>
    </section>
  )
}
