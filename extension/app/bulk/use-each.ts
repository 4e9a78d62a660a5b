import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'

type EachPhase = 'asked' | 'working' | 'stopping' | 'over'

/** Runs an action on rows one by one, until it is done, stopped or closed. A failure does not stop the others. */
export function useEach(rows: readonly InventoryRow[]) {
  const [phase, setPhase] = useState<EachPhase>('asked')
  const [done, setDone] = useState(0)
  const [failed, setFailed] = useState<{ row: InventoryRow; why: string }[]>([])
  const stopped = useRef(false)
  useEffect(
    () => () => {
      stopped.current = true
    },
    [],
  )
  const go = async (act: (row: InventoryRow) => Promise<void>) => {
    setPhase('working')
    for (const [index, row] of rows.entries()) {
      if (stopped.current) break
      try {
        await act(row)
      } catch (error) {
        const why = errorText(error)
        setFailed((before) => [...before, { row, why }])
      }
      setDone(index + 1)
    }
    setPhase('over')
  }
  const stop = () => {
    stopped.current = true
    setPhase('stopping')
  }
  return { phase, done, failed, total: rows.length, go, stop }
}
export type Each = ReturnType<typeof useEach>
