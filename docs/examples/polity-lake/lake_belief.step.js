// Draws the step: a row of fish for each person, to be pressed. The page keeps what is set; without this it asks by itself.
export default (element, { settings, lang, get, set }) => {
  const { others = 2, most = 10 } = settings
  for (let person = 1; person <= others; person += 1) {
    const row = document.createElement('p')
    row.dataset.belief = person
    row.append(lang === 'zh' ? `第 ${person} 人` : `Person ${person}`)
    const draw = () => {
      for (const fish of row.querySelectorAll('button')) {
        fish.setAttribute('aria-pressed', String(fish.value === get(`person${person}`)))
      }
    }
    for (let count = 0; count <= most; count += 1) {
      const fish = Object.assign(document.createElement('button'), { type: 'button', className: 'btn', value: count })
      fish.textContent = `${count} 🐟`
      fish.addEventListener('click', () => (set(`person${person}`, String(count)), draw()))
      row.append(' ', fish)
    }
    draw()
    element.append(row)
  }
}
