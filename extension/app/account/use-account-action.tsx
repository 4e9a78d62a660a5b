import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { HapaxError } from '#shared/client/error.ts'
import { Notice } from '../components/notice.tsx'
import { messageOf } from './call-account.ts'
import { Prove } from './prove.tsx'

/**
 * Runs one action at a time. Where the server asks for a newer proof of who the seller is, `notices` asks for it and the
 * action is repeated.
 */
export function useAccountAction(): {
  busy: boolean
  act: (work: () => Promise<void>) => Promise<void>
  notices: ComponentChildren
} {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [waiting, setWaiting] = useState<(() => Promise<void>) | null>(null)
  const act = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      if (error instanceof HapaxError && error.code === 'reauthentication_required') setWaiting(() => work)
      else setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const notices = (
    <>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {waiting && (
        <Prove
          onClose={() => setWaiting(null)}
          onProven={() => {
            setWaiting(null)
            void act(waiting)
          }}
        />
      )}
    </>
  )
  return { busy, act, notices }
}
