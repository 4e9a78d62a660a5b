import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { Loading } from './loading.tsx'
import { Notice } from './notice.tsx'

/** A screen whose code is fetched when it is first shown, so that the app opens sooner. `given`: the screen's properties. */
export function Lazy<Given extends object>({
  load,
  given,
}: {
  load: () => Promise<ComponentType<Given>>
  given: Given
}) {
  const [Screen, setScreen] = useState<ComponentType<Given> | null>(null)
  const [failed, setFailed] = useState(false)
  const fetchScreen = () => {
    setFailed(false)
    load().then(
      (screen) => setScreen(() => screen),
      () => setFailed(true),
    )
  }
  useEffect(fetchScreen, [])
  if (Screen) return <Screen {...given} />
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
