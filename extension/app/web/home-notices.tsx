import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/**
 * Says on the first screen, below what needs the seller, that alerts are not mailed before the address is confirmed and,
 * to the owner of the installation, that its backup is late. Its code is fetched after the screen is there; without a
 * connection it says nothing.
 */
export function HomeNotices() {
  const [notices, setNotices] = useState<ComponentType[]>([])
  useEffect(() => {
    Promise.all([import('../account/confirm-email.tsx'), import('../account/own-server.tsx')]).then(
      ([{ ConfirmEmail }, { BackupNotice }]) => setNotices([ConfirmEmail, BackupNotice]),
      () => {},
    )
  }, [])
  return (
    <>
      {notices.map((Notice) => (
        <Notice key={Notice.name} />
      ))}
    </>
  )
}
