#error "not ours"
