import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { Loading } from '#extension/ui/components/loading.tsx'
import { Notice } from '#extension/ui/components/notice.tsx'

/** A screen whose code is fetched when it is first shown, so that the app opens sooner. */
export function Lazy({ load }: { load: () => Promise<ComponentType> }) {
  const [Screen, setScreen] = useState<ComponentType | null>(null)
  const [failed, setFailed] = useState(false)
  const fetchScreen = () => {
    setFailed(false)
    load().then(
      (screen) => setScreen(() => screen),
      () => setFailed(true),
    )
  }
  useEffect(fetchScreen, [])
  if (Screen) return <Screen />
  return (
    <main class="page" aria-busy={!failed}>
      {failed ? (
        <Notice tone="bad" action={{ label: text('home.retry'), act: fetchScreen }}>
          {text('error.offline')}
        </Notice>
      ) : (
        <Loading />
      )}
    </main>
  )
}
