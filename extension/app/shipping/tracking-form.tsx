import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type CarrierSlug, carrierOf, carriers, plainTracking } from '#shared/carriers.ts'
import type { Shipment, Tracking } from '#shared/contract/selling/shipments.ts'
import { platformOf } from '#shared/platforms.ts'
import { DialogButtons } from '../components/dialog.tsx'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../hooks/use-request.ts'
import { text } from './words.ts'

/** The carrier of the last parcel, which is often that of the next one. */
let lastCarrier: CarrierSlug = 'usps'

/** Asks for the tracking of a parcel. Says before the press what cannot be undone after it. */
export function TrackingForm(props: {
  shipment: Shipment
  onMark: (tracking: Tracking) => Promise<void>
  onCancel: () => void
}) {
  const { order_uid, platform, tells_marketplace, tracking_number } = props.shipment
  // The marketplace refused it before.
  const [number, setNumber] = useState(tracking_number ?? '')
  const [carrier, setCarrier] = useState(
    carriers.find(({ slug }) => slug === props.shipment.carrier)?.slug ?? lastCarrier,
  )
  const [wrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { busy, problem, act } = useAction()
  useLayoutEffect(() => field.current?.focus(), [])
  const { name } = platformOf(platform)
  const plain = plainTracking(number)
  const write = (value: string) => {
    setNumber(value)
    setCarrier(carrierOf(value) ?? carrier)
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const isWrong = plain !== '' && !/^[A-Z0-9]{4,50}$/.test(plain)
    setWrong(isWrong)
    if (isWrong) return field.current?.focus()
    lastCarrier = carrier
    void act('mark', () => props.onMark(plain === '' ? {} : { carrier, tracking_number: plain }))
  }
  const [input, hint] = [`tracking-${order_uid}`, `tracking-hint-${order_uid}`]
  return (
    <form
      class="tracking"
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        props.onCancel()
      }}
    >
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div class="fields">
        <div class="field">
          <label class="label" for={input}>
            {text('ship.number')}
          </label>
          <input
            id={input}
            ref={field}
            autocomplete="off"
            spellcheck={false}
            maxLength={100}
            value={number}
            aria-invalid={wrong || undefined}
            aria-describedby={hint}
            onInput={(event) => write(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label class="label" for={`carrier-${order_uid}`}>
            {text('ship.carrier')}
          </label>
          <select
            id={`carrier-${order_uid}`}
            value={carrier}
            disabled={plain === ''}
            onChange={(event) => setCarrier(event.currentTarget.value as CarrierSlug)}
          >
            {carriers.map(({ slug, name: label }) => (
              <option key={slug} value={slug}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </div>
      <p id={hint} class={wrong ? 'wrong' : 'soft'} role={wrong ? 'alert' : undefined}>
        {text(wrong ? 'ship.number_wrong' : 'ship.number_hint')}
      </p>
      {platform === 'etsy' && plain === '' && <p class="soft">{text('ship.etsy_tracking')}</p>}
      <p class="soft">{text(tells_marketplace ? 'ship.tells' : 'ship.here', { platform: name })}</p>
      <DialogButtons
        cancel={text('cancel')}
        onCancel={props.onCancel}
        action={text('ship.mark')}
        isDisabled={busy !== null}
      />
    </form>
  )
}
