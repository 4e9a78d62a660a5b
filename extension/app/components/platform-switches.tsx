import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { Checkbox } from './fields.tsx'

/** A checkbox for each platform, ticked unless it is off. */
export function PlatformSwitches(props: {
  platforms: readonly PlatformSlug[]
  off: readonly PlatformSlug[]
  onOff: (off: PlatformSlug[]) => void
}) {
  const { platforms, off, onOff } = props
  return (
    <>
      {platforms.map((platform) => (
        <Checkbox
          key={platform}
          label={platformOf(platform).name}
          checked={!off.includes(platform)}
          onChange={(isOn) => onOff(isOn ? off.filter((one) => one !== platform) : [...off, platform])}
        />
      ))}
    </>
  )
}
