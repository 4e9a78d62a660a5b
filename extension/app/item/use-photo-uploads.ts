import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import { uploadPhoto } from './upload-photo.ts'

export interface PhotoUpload {
  key: number
  file: File
  /** Why it failed, in words; null while it waits or is being sent. */
  problem: string | null
}

/** Uploads photos one after another, so that they arrive in the order of the choice. */
export function usePhotoUploads(onUploaded: (address: string) => void) {
  const [uploads, setUploads] = useState<PhotoUpload[]>([])
  const isSending = useRef(false)
  const nextKey = useRef(0)
  // An upload outlives the render that began it; it must reach the newest list.
  const uploaded = useRef(onUploaded)
  uploaded.current = onUploaded
  const next = uploads.find(({ problem }) => problem === null)
  useEffect(() => {
    if (!next || isSending.current) return
    isSending.current = true
    const settle = (problem: string | null) => {
      isSending.current = false
      setUploads((all) =>
        problem === null
          ? all.filter(({ key }) => key !== next.key)
          : all.map((upload) => (upload.key === next.key ? { ...upload, problem } : upload)),
      )
    }
    uploadPhoto(next.file).then(
      (address) => {
        uploaded.current(address)
        settle(null)
      },
      (error) => settle(errorText(error)),
    )
  }, [next])
  return {
    uploads,
    isUploading: next !== undefined,
    add: (files: Iterable<File>) => {
      const added = [...files].map((file) => ({ key: nextKey.current++, file, problem: null }))
      setUploads((all) => [...all, ...added])
    },
    retry: (key: number) =>
      setUploads((all) => all.map((upload) => (upload.key === key ? { ...upload, problem: null } : upload))),
    drop: (key: number) => setUploads((all) => all.filter((upload) => upload.key !== key)),
  }
}
