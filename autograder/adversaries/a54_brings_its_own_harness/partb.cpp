#error the harness of the hand-in was used
