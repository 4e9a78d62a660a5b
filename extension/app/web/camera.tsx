import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../components/notice.tsx'
import { text } from '../shelf/words.ts'
import { codeReader } from './read-codes.ts'

/** Waits between looks at the picture, in ms. */
const lookMs = 120
/** The same code again, as long as it stays before the camera or leaves it for less than this, is one scan. In ms. */
const againMs = 2_500

/** Shows the camera and calls `onCode` for each code that it sees. */
export function Camera({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const act = useRef(onCode)
  act.current = onCode
  useEffect(() => {
    const end = new AbortController()
    watch(video.current!, (code) => act.current(code), end.signal).catch((error: unknown) =>
      setProblem(problemText(error)),
    )
    return () => end.abort()
  }, [])
  if (problem) return <Notice tone="bad">{problem}</Notice>
  return <video class="camera" ref={video} muted playsInline aria-label={text('scan.camera')} />
}

/** Watches the camera until `signal` ends. Rejects where there is none, or it is not allowed. */
async function watch(video: HTMLVideoElement, onCode: (code: string) => void, signal: AbortSignal): Promise<void> {
  const wanted = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } }
  const stream = await navigator.mediaDevices.getUserMedia({ video: wanted })
  try {
    video.srcObject = stream
    await video.play()
    const read = await codeReader()
    let [last, seen] = ['', 0]
    while (!signal.aborted) {
      // A slow phone takes seconds to find the code in a picture: until then the code had not left.
      const lookedMs = Date.now()
      const code = await read(video)
      if (code !== null && !signal.aborted) {
        const isNew = code !== last || lookedMs - seen > againMs
        last = code
        seen = Date.now()
        if (isNew) {
          navigator.vibrate?.(60)
          onCode(code)
        }
      }
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}

function problemText(error: unknown): string {
  // Browsers offer cameras to secure pages alone.
  if (!window.isSecureContext) return text('scan.insecure')
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError') return text('scan.not_allowed')
  return name === 'NotFoundError' ? text('scan.no_camera') : text('scan.camera_failed')
}
