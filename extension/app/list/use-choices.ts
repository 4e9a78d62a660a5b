import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { Choice } from '#shared/contract/selling/listings.ts'
import { MessageError } from '../host.ts'

/** State of a request for choices. */
interface AskedChoices<T extends { choices: Choice[] }> {
  /** The latest answer, or null before the first. */
  known: T | null
  asking: boolean
  problem: { message: string; code: string | null } | null
  /** Sends a new request. Answers to earlier ones are ignored. */
  ask: (load: () => Promise<T>) => void
}

/** Requests choices on mount and on each call of `ask`. Only the newest request counts. */
export function useChoices<T extends { choices: Choice[] }>(first: () => Promise<T>): AskedChoices<T> {
  const [known, setKnown] = useState<T | null>(null)
  const [asking, setAsking] = useState(true)
  const [problem, setProblem] = useState<AskedChoices<T>['problem']>(null)
  const turn = useRef(0)
  const ask = (load: () => Promise<T>) => {
    const mine = ++turn.current
    setAsking(true)
    setProblem(null)
    load().then(
      (value) => {
        if (mine !== turn.current) return
        setKnown(value)
        setAsking(false)
      },
      (error: unknown) => {
        if (mine !== turn.current) return
        setProblem({ message: errorText(error), code: error instanceof MessageError ? error.code : null })
        setAsking(false)
      },
    )
  }
  useEffect(() => {
    ask(first)
    return () => {
      turn.current++
    }
  }, [])
  return { known, asking, problem, ask }
}
