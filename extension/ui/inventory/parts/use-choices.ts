import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import { MessageError } from '#extension/messaging/send.ts'
import type { Choice } from '#shared/contract/listings.ts'

/** Choices that were asked for: known, asked for (again), or why not. */
export interface AskedChoices<T extends { choices: Choice[] }> {
  /** As they were last told; null: not yet. */
  known: T | null
  asking: boolean
  problem: { message: string; code: string | null } | null
  /** Asks anew; the answer to what was asked before counts no more. */
  ask: (load: () => Promise<T>) => void
}

/** Asks for choices at first, and whenever `ask` is called: the newest question alone counts. */
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
