import { useEffect, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import { MessageError } from '#extension/messaging/message-error.ts'
import { useSlow } from './use-slow.ts'

/** State of one request: loading, ready or failed. */
export type Request<T> = { state: 'loading' } | { state: 'failed'; message: string } | { state: 'ready'; value: T }

/** Sends a request on mount and whenever `key` changes. `again` repeats it. `underWay`: an answer is still to come. */
export function useRequest<T>(
  key: string,
  ask: () => Promise<T>,
): Request<T> & { again: () => void; underWay: boolean } {
  const [request, setRequest] = useState<Request<T>>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  const [answered, setAnswered] = useState(-1)
  useEffect(() => {
    let stale = false
    const answer = (next: Request<T>) => {
      if (stale) return
      setRequest(next)
      setAnswered(turn)
    }
    ask().then(
      (value) => answer({ state: 'ready', value }),
      (error: unknown) => answer({ state: 'failed', message: errorText(error) }),
    )
    return () => {
      stale = true
    }
  }, [key, turn])
  return { ...request, again: () => setTurn((before) => before + 1), underWay: answered !== turn }
}

/** Runs one action at a time. `late`: it is taking long. `code`: the error code, for callers with a better message. */
export function useAction() {
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [code, setCode] = useState<string | null>(null)
  const act = async (name: string, work: () => Promise<void>) => {
    if (busy !== null) return
    setBusy(name)
    setProblem(null)
    setCode(null)
    try {
      await work()
    } catch (error) {
      setProblem(errorText(error))
      setCode(error instanceof MessageError ? error.code : null)
    } finally {
      setBusy(null)
    }
  }
  /** Takes back what is said about the last failure. */
  const forget = () => {
    setProblem(null)
    setCode(null)
  }
  return { busy, late: useSlow(busy !== null), problem, code, act, forget }
}
