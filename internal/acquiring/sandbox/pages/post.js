const form = document.getElementById('post')
if (form) form.submit()
if (document.getElementById('framed') && window.parent !== window) {
	window.parent.postMessage({ type: 'servery-3ds-method' }, window.location.origin)
}
