// Draws the lake: what each took this round, and how much of it the lake bore. No build, no import: the kit is given.
export default (kit, derived) => ({
  ...derived,
  mount(element) {
    return {
      update(frame, context) {
        const catches = frame.view.take ?? []
        const total = catches.reduce((sum, one) => sum + (one ?? 0), 0)
        const { stock, most } = context.config
        const row = ({ seat, name }) =>
          kit.html`<p>${name} <meter min="0" max=${most} value=${catches[seat] ?? 0}></meter> ${catches[seat] ?? '–'}</p>`
        kit.render(
          kit.html`<div data-board="lake"><p><strong>${total} / ${stock}</strong></p>${context.seats.map(row)}</div>`,
          element,
        )
      },
      unmount() {
        kit.render(kit.nothing, element)
      },
    }
  },
})
