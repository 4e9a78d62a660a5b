import { useState } from 'preact/hooks'
import { isFinished } from '#extension/messaging/import-row.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import type { SellerAccount } from '#shared/contract/connections.ts'
import { platformOf } from '#shared/platforms.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { Notice } from '../components/notice.tsx'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { useAction } from '../hooks/use-request.ts'
import { call, send, useHost } from '../host.ts'
import type { Room } from '../shell/room.tsx'
import { shopName } from './shop-row.tsx'
import { ShopRows } from './shop-rows.tsx'
import { text } from './words.ts'

/** The platforms, each with its shops, its health, its last import and a menu. */
export function ShopsPage(props: { overview: Overview; refresh: () => Promise<void>; rooms: readonly Room[] }) {
  const { overview, refresh } = props
  const { kind } = useHost()
  const { imports, takeDowns } = overview
  const { busy, problem, act } = useAction()
  const [leaving, setLeaving] = useState<SellerAccount | null>(null)
  return (
    <main class="page item cards">
      <h1 class="hidden" tabIndex={-1}>
        {text('home.shops')}
      </h1>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <section class="part" aria-labelledby="platforms">
        <h2 id="platforms">{text('home.shops')}</h2>
        <ShopRows
          overview={overview}
          busy={busy}
          isImporting={(slug) => imports.some((row) => row.platform === slug && !isFinished(row))}
          onLeave={setLeaving}
          onImport={(slug) =>
            act(slug, async () => {
              if (slug === 'ebay' || slug === 'etsy') await send('popup.import', { platform: slug })
              await refresh()
            })
          }
        />
      </section>
      <section class="part" aria-labelledby="downs">
        <h2 id="downs">{text('shops.downs')}</h2>
        <p class="soft">{text('shops.downs_text')}</p>
        <ul class="rows">
          {takeDowns.on.map((slug) => {
            const { name } = platformOf(slug)
            const { running } = takeDowns
            const words = text(running?.platform === slug ? 'stop' : 'downs.turn_off')
            return (
              <li key={slug}>
                <PlatformIcon platform={slug} size={24} />
                <div class="grow">
                  <strong>{name}</strong>
                  <p class="soft cut">
                    {running?.platform === slug
                      ? text('downs.running', { title: running.title, platform: name })
                      : text('shops.downs_on')}
                  </p>
                </div>
                <button
                  type="button"
                  aria-disabled={busy !== null}
                  aria-label={`${words}, ${name}`}
                  onClick={() =>
                    act(slug, async () => {
                      await send('takeDowns.switch', { platform: slug, on: false })
                      await refresh()
                    })
                  }
                >
                  {words}
                </button>
              </li>
            )
          })}
        </ul>
        <p>
          <a href="#takedowns">{text(kind === 'web' ? 'shops.downs_log' : 'shops.downs_open')}</a>
        </p>
      </section>
      {props.rooms.map(({ ShopsPart }, index) => ShopsPart && <ShopsPart key={index} overview={overview} />)}
      {leaving && (
        <ConfirmDialog
          title={text('shops.disconnect_title', {
            shop: shopName(leaving.external_name),
            platform: platformOf(leaving.platform).name,
          })}
          words={text(
            platformOf(leaving.platform).connection === 'oauth' ? 'shops.disconnect_oauth' : 'shops.disconnect_read',
          )}
          action={text('shops.disconnect')}
          onCancel={() => setLeaving(null)}
          onAct={() =>
            act(leaving.uid, async () => {
              await call('disconnectSellerAccount', { params: { uid: leaving.uid } })
              setLeaving(null)
              await refresh()
            })
          }
        />
      )}
    </main>
  )
}
